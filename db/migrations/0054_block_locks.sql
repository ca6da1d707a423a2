-- The newest block that the chain's network has locked (src/chains/follow/enter-lock.ts): it and those below it count as settled, however
-- many confirmations they have. Null on chains without locks, and before the first one.
alter table chain_cursor add column locked_height bigint check (locked_height <= height);
