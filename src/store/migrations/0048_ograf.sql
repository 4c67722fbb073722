-- OGraf graphics. For a release that does not know them they are code graphics, which never say READY and so are never seen.
-- The id of its manifest, of which a theme has one; left out: it is none.
alter table graphic add column ograf_id text;
-- {path, manifest, warnings}: the manifest, and where it lies among the files. As json: its members stay in their order, which is that of the editors.
alter table graphic_draft add column ograf json;
alter table graphic_version add column ograf json;
