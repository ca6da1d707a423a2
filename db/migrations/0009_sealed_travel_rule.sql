-- What the travel rule asks for is rare and sealed: whoever seals it anew, or counts it by data key, need not read every deposit.
create index deposit_by_travel_rule on deposit (payment_page_id) where travel_rule_sealed is not null;
