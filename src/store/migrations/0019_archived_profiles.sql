-- An archived profile must not keep a control room for ever.
alter table theme_profile
  alter column default_control_room_id drop not null,
  drop constraint theme_profile_default_control_room_id_fkey,
  add constraint theme_profile_room foreign key (default_control_room_id) references control_room (id) on delete set null,
  add constraint theme_profile_active_has_room check (archived_at is not null or default_control_room_id is not null);
