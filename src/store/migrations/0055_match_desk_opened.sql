-- When a telephone first opened the page of a match by its address of now. issue 21.6
alter table match_desk add column opened_at timestamptz;
