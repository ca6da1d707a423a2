-- Addresses that got coin for their sweeps: comparisons of ledger and chain read it, although no payment brought it.
insert into holding (chain, watch_key, currency, account_id, wallet_id, key_index, units, changed_at_height)
select distinct on (s.chain, s.watch_key) s.chain, s.watch_key, p.fee_currency, h.account_id, h.wallet_id, h.key_index, 0, 0
from spend p
join sweep_source s on s.spend_id = p.id
join holding h on h.chain = s.chain and h.watch_key = s.watch_key and h.currency = s.currency
where p.kind = 'top_up'
order by s.chain, s.watch_key
on conflict do nothing;
