-- The sample as it was sent, so that a theme can be copied with it; null for one from before.
alter table data_source_template
  add column sample_file bytea,
  add column sample_sha256 text;
