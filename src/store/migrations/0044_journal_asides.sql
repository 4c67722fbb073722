-- Facts that are no facts of the air: what an overlay has on preview, and what is scheduled on it. The release before reads `events`
-- of the same rows, and would not know them there.
alter table journal add column asides json;
