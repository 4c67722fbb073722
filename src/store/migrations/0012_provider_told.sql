-- Everything that a connection's provider has told so far, as gzipped JSON: an edit by hand is told apart from a change of the
-- provider by it, also for records that a feed leaves out.
alter table provider_connection add column told bytea;
