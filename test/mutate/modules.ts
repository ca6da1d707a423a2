/** Code that guards money, and the tests that have to notice a change of any rule in it. */
export type MutateModule = {
  readonly name: string;
  readonly files: readonly string[];
  readonly tests: readonly string[];
  /** Whether its tests need PostgreSQL. */
  readonly database: boolean;
};

function below(folder: string, names: string): readonly string[] {
  return names.split(" ").map((name) => `src/${folder}/${name}.ts`);
}

export const mutateModules: readonly MutateModule[] = [
  {
    name: "ledger",
    files: below("ledger", "commission ledger-account position-limits post posting"),
    tests: below(
      "ledger",
      "commission.test ledger-account.test position-limits.test post.test posting.test",
    ),
    database: true,
  },
  {
    name: "rates",
    files: below("currencies/rates", "cross-rate decide-rates fiat-price freshness margin quote"),
    tests: below(
      "currencies/rates",
      "cross-rate.test decide-rates.test fiat-price.test margin.test quote.test sources.test",
    ),
    database: false,
  },
  {
    name: "deposits",
    files: below(
      "deposits/payments",
      "continue-status decide-deposit decide-status decide-transfer limit-hits positions price-transfer " +
        "priced-sums rate-lock received source-amount status-replay tally tolerance transfer-changes",
    ),
    tests: below(
      "deposits",
      "payments/conclude.test payments/continue-status.test payments/decide-deposit.test payments/decide-status.test " +
        "payments/decide-transfer.test payments/limit-hits.test payments/positions.test " +
        "payments/price-transfer.test payments/priced-sums.test payments/rate-lock.test payments/received.test " +
        "payments/source-amount.test payments/tally.test payments/tolerance.test payments/transfer-changes.test " +
        "resolve/decide-refund.test",
    ),
    database: false,
  },
  {
    name: "payouts",
    files: below(
      "payouts",
      "positions create/reserve-faults send/advance-payout send/choose-groups approve/decide-approval-rights " +
        "protection/decide-protection",
    ),
    tests: below(
      "payouts",
      "positions.test create/reserve-faults.test send/advance-payout.test send/advance-payout-counts.test " +
        "send/choose-groups.test approve/decide-approval-rights.test protection/decide-protection.test",
    ),
    database: false,
  },
  {
    name: "approvals",
    files: below("payouts", "approve/decide-approver protection/decide-approval"),
    tests: below("payouts", "approve/decide-approver.test protection/decide-approval.test"),
    database: false,
  },
  {
    name: "creation",
    files: below("deposits/create", "decide-new-deposit decide-payment-terms"),
    tests: below("deposits/create", "decide-new-deposit.test"),
    database: false,
  },
  {
    name: "terms",
    files: below("payouts/create", "decide-new-payout decide-terms decide-route"),
    tests: below(
      "payouts/create",
      "decide-new-payout.test decide-terms.test decide-route.test payout-terms.test",
    ),
    database: false,
  },
  {
    name: "spends",
    files: below("treasury/spends", "sequence-allocator spend spend-positions spend-transitions"),
    tests: below(
      "treasury/spends",
      "sequence-allocator.test spend.test spend-facts.test spend-positions.test spend-transitions.test",
    ),
    database: false,
  },
  {
    name: "signer",
    files: below("signer", "check-request limits-file neutral-intent read-sign-request sign-spend"),
    tests: below(
      "signer",
      "limits-file.test neutral-intent.test read-sign-request.test sign-spend.test signer-limits.test",
    ),
    database: false,
  },
  {
    name: "journal",
    files: below(
      "signer/journal",
      "issue-journal journal-copy sealed-lines spend-journal spend-totals",
    ),
    tests: below(
      "signer/journal",
      "issue-journal.test journal-copy.test sealed-lines.test spend-journal.test spend-totals.test",
    ),
    database: false,
  },
  {
    name: "leases",
    files: below("platform/jobs", "end-leases.store lease.store lease periodic until-available"),
    tests: below("platform/jobs", "end-leases.test lease.test periodic.test until-available.test"),
    database: true,
  },
  {
    name: "outbox",
    files: below(
      "callbacks/deliver",
      "callback-signature compose-delivery host-breaker host-lanes retry-schedule",
    ),
    tests: below(
      "callbacks/deliver",
      "callback-signature.test compose-delivery.test host-breaker.test host-lanes.test host-lanes-shares.test " +
        "retry-schedule.test",
    ),
    database: false,
  },
];
