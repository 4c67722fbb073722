-- When a connected renderer was not shown by its program: `[[from, until], …]` in ms since 1970, the last one open (null) while it lasts.
alter table renderer_session add column out_of_view json;
