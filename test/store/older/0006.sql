-- What a version with the migrations up to 0006 stored of a production on air: a graphic shown, one updated, one hidden again, and an
-- overlay deleted. Snapshots, events and descriptions of graphics as that version wrote them, with shorter ids.
insert into organization (name) values ('Norrvik');
insert into competition (organization_id, name, sport, grade_id) values (1, 'Premier League', 'football', 1);
insert into venue (organization_id, name, timezone) values (1, 'Harbour Lane', 'Europe/Oslo');
insert into team (organization_id, name, gfx_name, abbreviation, primary_background_color, default_venue_id, sport, non_player_staff) values
  (1, 'Norrvik Athletic', 'Norrvik', 'NOR', '#b3132b', 1, 'football', '[{"role": "manager", "lastName": "Holmgren", "firstName": "Astrid"}]'),
  (1, 'Port Selwyn Rovers', null, 'PSR', null, null, 'football', '[]');
insert into competition_team values (1, 1), (1, 2);
insert into player (organization_id, first_name, last_name) values (1, 'Mateus', 'Conceição'), (1, 'Callum', 'Reyes');
insert into roster_entry (team_id, player_id, number, position, position_type, starter) values
  (1, 1, '9', 'ST', 'forward', true), (2, 2, '2', null, null, false);
insert into official (organization_id, first_name, last_name, role) values (1, 'Ingrid', 'Solbakken', 'referee');
insert into match (organization_id, competition_id, sport, starts_at, timezone, venue_id, round, config, pregame_automation_minutes)
  values (1, 1, 'football', '2026-03-01T19:00:00Z', 'Europe/Oslo', 1, 'Round 14', '{"benchSize": 7}', 15);
insert into match_competitor values (1, 0, 'team', 1, null, true), (1, 1, 'team', 2, null, false);
insert into match_official values (1, 1, 'referee');
insert into lineup_player (match_id, team_id, player_id, position_order, starting, captain, number) values (1, 1, 1, 0, true, true, '10');

insert into theme (organization_id, name, sports, active_version) values (1, 'Coastline', '{football}', 1);
insert into theme_variable values (1, 'accentColor', 'accentColor', 'string', '#d4ff3a', 'Lines and highlights', null, true);
insert into bundle values (repeat('a', 64), 'index.html', ('[{"blob": "' || repeat('b', 64) || '", "mime": "text/html", "name": "index.html", "size": 485}]')::jsonb);
insert into graphic (id, theme_id, kind, name) values ('bug', 1, 'code', 'Score bug'), ('lower', 1, 'code', 'Lower third'), ('card', 1, 'code', 'Line-up card');
insert into graphic_version (graphic_id, version, sports, state_machine, bundle_hash)
  select id, 1, '{football}', case id
    when 'bug' then '{"runtime": {"entry": "index.html"}, "selectedSchemas": ["match", "teams"], "userExpressions": [], "controlVariables": [{"id": "homeScore", "name": "homeScore", "type": "number", "description": "Empty follows the match", "defaultValue": null}, {"id": "showClock", "name": "showClock", "type": "boolean", "description": "Clock", "defaultValue": true}]}'
    when 'lower' then '{"runtime": {"entry": "index.html"}, "selectedSchemas": ["teams"], "userExpressions": [], "controlVariables": [{"id": "name", "name": "name", "type": "string", "description": "Name", "defaultValue": null}, {"id": "title", "name": "title", "type": "string", "description": "Role", "defaultValue": null}, {"id": "team", "name": "team", "type": "enum", "options": ["home", "away", "neutral"], "description": "Colours", "defaultValue": "neutral"}]}'
    else '{"runtime": {"entry": "index.html"}, "selectedSchemas": ["lineups"], "userExpressions": [], "controlVariables": []}'
  end::jsonb, repeat('a', 64) from graphic;
insert into graphic_draft (graphic_id, version, sports, state_machine, assets)
  select graphic_id, 2, sports, state_machine, ('[{"hash": "' || repeat('b', 64) || '", "mime": "text/html", "name": "index.html", "size": 485, "version": 1, "updatedAt": "2026-02-01T12:00:00.000Z"}]')::jsonb
  from graphic_version;
insert into theme_version values (1, 1, 'First release');
insert into theme_version_graphic select 1, 1, id, 1 from graphic;
insert into control_room (organization_id, theme_id, name) values (1, 1, 'Match day');
insert into section values ('play', 1, 'In play', 'green', 0), ('lists', 1, 'Line-ups', null, 3);
insert into preset (control_room_id, section_id, graphic_id, name, order_index, variable_values, exposed_variables) values
  (1, 'play', 'bug', 'Score bug', 0, '{"showClock": true}', '{homeScore,showClock}'),
  (1, 'play', 'lower', 'Head coach', 0, '{"name": "Astrid Holmgren", "team": "home", "title": "Head coach"}', '{name,title}'),
  (1, 'lists', 'card', 'Line-up', 5, '{}', '{}');
insert into theme_profile (organization_id, competition_id, theme_id, name, default_control_room_id, is_default) values
  (1, 1, 1, 'Full graphics', 1, true), (1, 1, 1, 'Plain', 1, true);
insert into theme_variable_value values (1, 'accentColor', '#ffd23f');

insert into stream_input (organization_id, name, type, stream_key, source_url, latency_ms) values (1, 'Main camera', 'default', '417a0948b708eb11', '', 2000);
insert into stream_settings (organization_id, match_id, name, input_id) values (1, 1, 'Match stream', 1);
insert into stream_destination (organization_id, stream_settings_id, name, type, url) values (1, 1, 'League channel', 'rtmp', 'rtmp://live.example.com/app/norrvik');

insert into overlay (organization_id, match_id, key, control_token, monitoring_token, name, auto_mode, ad_type, theme_profile_id, control_room_id)
  values (1, 1, 'f6c48398-5c0c-441d-bc37-60a7db88472b', 'zcaUIXkk00KWdIOC', 'reKr7WQJxMtRQ3ag', 'Main output', false, 'brands', 1, 1);
insert into actor (ref, organization_id, seq, epoch, machine_version, snapshot) values ('overlay/1', 1, 5, 1, 1,
  '{"value":"onAir","context":{"graphics":{"bug":{"graphicId":"bug","graphicName":"Score bug","kind":"code","version":1,"url":"/bundles/aa/index.html","themeId":1,"themeVersion":1,"roomId":1,"sectionId":"play","presetId":1,"values":{"showClock":true},"loadSeq":1,"seq":1},"lower":{"graphicId":"lower","graphicName":"Lower third","kind":"code","version":1,"url":"/bundles/aa/index.html","themeId":1,"themeVersion":1,"roomId":1,"sectionId":"play","presetId":2,"values":{"name":"Astrid Holmgren","team":"home","title":"Unbeaten"},"loadSeq":4,"seq":5}},"revisions":{}}}');
insert into journal (ref, seq, organization_id, command_id, request_id, principal, command, events)
  select ref, seq, 1, gen_random_uuid(), 'old', '{"type":"key","id":1,"name":"Demo key"}', command::json, events::json from (values
    ('match/1', 66, '{"type":"create"}', '[{"type":"match.created","matchId":1,"competitionId":1}]'),
    ('overlay-settings/1', 76, '{"type":"create","asked":{"name":"Main output","matchId":1}}', '[{"type":"overlay.created","overlayId":1,"matchId":1,"name":"Main output"}]'),
    ('overlay-settings/2', 80, '{"type":"create","asked":{"name":"Gone output","matchId":1}}', '[{"type":"overlay.created","overlayId":2,"matchId":1,"name":"Gone output"}]'),
    ('overlay-settings/2', 81, '{"type":"delete"}', '[{"type":"overlay.deleted","overlayId":2}]'),
    ('overlay/1', 1, '{"type":"show","presetId":1}', '[{"type":"graphic.shown","graphic":{"graphicId":"bug","graphicName":"Score bug","kind":"code","version":1,"url":"/bundles/aa/index.html","themeId":1,"themeVersion":1,"roomId":1,"sectionId":"play","presetId":1,"values":{"showClock":true},"loadSeq":1,"seq":1}}]'),
    ('overlay/1', 2, '{"type":"show","presetId":3}', '[{"type":"graphic.shown","graphic":{"graphicId":"card","graphicName":"Line-up card","kind":"code","version":1,"url":"/bundles/aa/index.html","themeId":1,"themeVersion":1,"roomId":1,"sectionId":"lists","presetId":3,"values":{},"loadSeq":2,"seq":2}}]'),
    ('overlay/1', 3, '{"type":"hide","presetId":3}', '[{"type":"graphic.hidden","graphicId":"card","graphicName":"Line-up card","presetId":3,"sectionId":"lists"}]'),
    ('overlay/1', 4, '{"type":"show","presetId":2}', '[{"type":"graphic.shown","graphic":{"graphicId":"lower","graphicName":"Lower third","kind":"code","version":1,"url":"/bundles/aa/index.html","themeId":1,"themeVersion":1,"roomId":1,"sectionId":"play","presetId":2,"values":{"name":"Astrid Holmgren","team":"home","title":"Head coach"},"loadSeq":4,"seq":4}}]'),
    ('overlay/1', 5, '{"type":"update","presetId":2,"variableValues":{"title":"Unbeaten"}}', '[{"type":"graphic.updated","graphic":{"graphicId":"lower","graphicName":"Lower third","kind":"code","version":1,"url":"/bundles/aa/index.html","themeId":1,"themeVersion":1,"roomId":1,"sectionId":"play","presetId":2,"values":{"name":"Astrid Holmgren","team":"home","title":"Unbeaten"},"loadSeq":4,"seq":5}}]'),
    ('overlay/2', 1, '{"type":"show","presetId":1}', '[{"type":"graphic.shown","graphic":{"graphicId":"bug","graphicName":"Score bug","kind":"code","version":1,"url":"/bundles/aa/index.html","themeId":1,"themeVersion":1,"roomId":1,"sectionId":"play","presetId":1,"values":{"showClock":true},"loadSeq":1,"seq":1}}]'),
    ('overlay/2', 2, '{"type":"hideAll","reason":"overlay deleted"}', '[{"type":"graphic.hidden","graphicId":"bug","graphicName":"Score bug","presetId":1,"sectionId":"play"}]')
  ) as rows (ref, seq, command, events);
select setval('journal_record_seq', 81);
-- the overlay that is deleted had this id
select setval(pg_get_serial_sequence('overlay', 'id'), 2);
insert into outbox (kind, payload, handed_at) values ('job', '{"name":"prune","data":{},"delayMs":600000,"attempts":20}', now());
insert into paint values (1, 'lower', 5, 'fe74893b-4df1', now());
insert into idempotency (organization_id, key, method, path, body_hash, status, body) values (1, 'kept', 'POST',
  '/rest/v2/overlays/1/graphics/commands', sha256('{"action":"update","presetId":2,"variableValues":{"title":"Unbeaten"}}'), 200,
  '{"overlayId":1,"manualGraphicState":{"Score bug":{"_service_presetId":1,"variableValues":{"showClock":true}},"Lower third":{"_service_presetId":2,"variableValues":{"name":"Astrid Holmgren","team":"home","title":"Unbeaten"}}}}');
