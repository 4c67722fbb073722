-- What a press on a preset does in a control room until an operator wants it otherwise: straight to air, or onto preview.
alter table control_room add column default_mode text not null default 'direct' check (default_mode in ('direct', 'preview'));
