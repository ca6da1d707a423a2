-- When the link of an invitation was used. It is kept for a while, so that the page behind it can say so.
alter table email_token add column used_at timestamptz;
