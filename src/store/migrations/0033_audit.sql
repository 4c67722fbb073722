-- Who did what to the records of an organization. What is on air, matches, streams and pushed rows have logs of their own, and
-- too many entries; the queries of the audit list name the same kinds.
create index journal_audit on journal (organization_id, at desc, seq desc)
  where split_part(ref, '/', 1)
    not in ('overlay', 'match', 'stream', 'destination', 'input', 'graphic-lock', 'upload', 'data-source');
