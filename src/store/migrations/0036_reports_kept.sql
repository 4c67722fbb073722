-- Of what retention deletes by age: from when on everything is kept. A proof says so instead of calling it unseen.
alter table retention add column kept_from timestamptz;
