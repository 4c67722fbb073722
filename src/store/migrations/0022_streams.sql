-- Settings of streams, inputs and destinations; whether they run is the business of their actors.
alter table stream_settings
  add column resolution text not null default '720p' check (resolution in ('1080p', '720p')),
  add column fps integer not null default 25 check (fps in (25, 30, 50, 60)),
  add column video_bitrate_kb integer not null default 3000,
  add column region text not null default 'local',
  add column input_volume integer not null default 100,
  add column generate_highlights boolean not null default false,
  add column start_overlay_hidden boolean not null default false,
  add column auto_stream boolean not null default false;
create index on stream_settings (organization_id, id);
create index on stream_settings (match_id);
create index on stream_settings (input_id);
create index on stream_settings (id) where auto_stream;

alter table stream_input add check (type in ('default', 'pull'));
create unique index stream_input_key on stream_input (stream_key) where stream_key <> '';
create index on stream_input (organization_id, id);

-- `url` is where it is pushed to, keys included; a pull destination is fetched from us under its token
alter table stream_destination
  add column stream_key text not null default '',
  add column pull_protocol text check (pull_protocol in ('hls', 'srt')),
  add column pull_token text,
  add column latency_ms integer not null default 200,
  add column updated_at timestamptz not null default clock_timestamp(),
  add check (type in ('rtmp', 'srt', 'youtube', 'facebook', 'pull')),
  add check ((type = 'pull') = (pull_protocol is not null)),
  add check ((type = 'pull') = (pull_token is not null));
create unique index stream_destination_pull_token on stream_destination (pull_token);
create index on stream_destination (stream_settings_id, id);
