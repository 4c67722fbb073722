-- Where the OBS of an overlay takes obs-websocket, and how the last refresh of its browser sources went. Its password is sealed with the tokens.
alter table overlay add column obs_url text, add column obs_refresh json;
