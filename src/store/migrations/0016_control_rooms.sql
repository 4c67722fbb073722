-- The order of sections and presets counts from 0 without gaps; a write that moves several settles it by its commit.
update section s set order_index = o.place
from (select id, row_number() over (partition by control_room_id order by order_index, id) - 1 as place from section) o
where o.id = s.id;

update preset p set order_index = o.place
from (select id, row_number() over (partition by section_id order by order_index, id) - 1 as place from preset) o
where o.id = p.id;

alter table section add constraint section_order unique (control_room_id, order_index) deferrable initially deferred;
alter table preset add constraint preset_order unique (section_id, order_index) deferrable initially deferred;

create index on control_room (organization_id, id);
create index on control_room (theme_id);
-- who uses a room
create index on overlay (control_room_id);
create index on theme_profile (default_control_room_id);
