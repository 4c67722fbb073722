-- The upload of an import is found by its owner; those of sessions by their session.
create index upload_owner_idx on upload (owner) where session_id is null;
