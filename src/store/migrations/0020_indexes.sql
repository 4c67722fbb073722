-- 0013 and 0016 made the same two.
drop index control_room_theme_id_idx1;
drop index overlay_control_room_id_idx1;

-- What pins a version of a graphic: asked when a graphic is deleted or named.
create index on theme_version_graphic (graphic_id, graphic_version);
