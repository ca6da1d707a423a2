/** A request that is measured on a small and on a large database. */
export type GrowthCase = {
  readonly path: string;
  /** It counts up to 10,000 rows, so it may take twice the time. */
  readonly isCounted: boolean;
};

/** A deposit that both databases have, with what belongs to it. */
const n = 9_002;
const noon = "2026-06-01T12:00:00Z";

const depositFilters: Readonly<Record<string, string>> = {
  currency: "1002",
  wallet: "MERCHANT",
  wallet_from: "ENTERPRISE",
  wallet_to: "ENTERPRISE",
  wallet_type: "2",
  id: String(n),
  created_at_from: noon,
  created_at_to: noon,
  updated_at_from: noon,
  updated_at_to: noon,
  label: `Order ${n}`,
  tracking_id: `order-${n}`,
  commission: "0.10",
  address: "ADDRESS",
  confirmations_needed: "3",
  help_email: "help@shop.example",
  status: "5",
  state: "overpaid",
  time_limit: "60",
  inaccuracy: "0.50",
  target_amount_requested: "100.02",
  rate_requested: "60000",
  expired_at_from: noon,
  expired_at_to: noon,
  target_paid: "100.02",
  enrolled: "99.92",
  target_paid_pending: "100.02",
  source_paid_pending: "0.00109002",
  source_paid: "0.00109002",
  source_commission: "0.00000100",
  source_amount_requested: "0.00109002",
};

const payoutFilters: Readonly<Record<string, string>> = {
  currency: "1000",
  wallet: "ENTERPRISE",
  wallet_to: "MERCHANT",
  wallet_type: "1",
  id: "9000",
  created_at_from: noon,
  updated_at_to: noon,
  label: "Payout 9000",
  tracking_id: "pay-9000",
  address: "ADDRESS",
  status: "1",
  state: "failed",
  amount: "0.00000000000001",
  is_fee_included: "true",
  confirmations_needed: "2",
  rate_requested: "2",
  source_commission: "1",
};

const transferFilters: Readonly<Record<string, string>> = {
  id: String(n),
  currency: "1010",
  wallet: "ENTERPRISE",
  op_id: String(n),
  op_type: "14",
  status: "-2",
  txid: "TXID",
  risk_status: "3",
  amount: "0.00109002",
  commission: "0.5",
  created_at_from: noon,
  updated_at_to: noon,
};

const callbackFilters: Readonly<Record<string, string>> = {
  id: String(n),
  status: "pending",
  trigger: "blocked",
  object_type: "payout",
  object_id: String(n),
  wallet: "ENTERPRISE",
  webhook_endpoint: "1",
  url: "elsewhere",
  created_at_from: noon,
  updated_at_to: noon,
};

const eventFilters: Readonly<Record<string, string>> = {
  after: "5000",
  object_type: "payout",
  object_id: String(n),
  trigger: "blocked",
  wallet: "ENTERPRISE",
  created_at_from: noon,
  created_at_to: noon,
};

const sorts: Readonly<Record<string, readonly string[]>> = {
  deposit: ["id", "-updated_at", "status", "label", "-tracking_id"],
  payout: ["id", "-updated_at", "status", "label", "-tracking_id"],
  transfer: ["id", "-updated_at", "status"],
  callback: ["id", "-updated_at", "status", "-attempts"],
  event: ["-id"],
};

const filters = {
  deposit: depositFilters,
  payout: payoutFilters,
  transfer: transferFilters,
  callback: callbackFilters,
  event: eventFilters,
};

/** Every list with each filter and sort, by number and by cursor; capitals stand for ids that differ between the databases. */
export function growthCases(): readonly GrowthCase[] {
  const cursor = "page%5Bafter%5D=";
  const plain = (path: string): GrowthCase => ({ path, isCounted: false });
  const counted = (path: string): GrowthCase => ({ path, isCounted: true });
  return [
    plain(`/deposit/${n}/`),
    plain(`/search/?filter%5Btext%5D=order-${n}`),
    plain("/wallet/"),
    ...Object.entries(filters).flatMap(([list, values]) => [
      counted(`/${list}/`),
      plain(`/${list}/?${cursor}`),
      counted(`/${list}/?page%5Bnumber%5D=last`),
      ...(sorts[list] ?? []).map((sort) => plain(`/${list}/?${cursor}&sort=${sort}`)),
      ...Object.entries(values).flatMap(([name, value]) => {
        const filter = `filter%5B${name}%5D=${encodeURIComponent(value)}`;
        return [plain(`/${list}/?${cursor}&${filter}`), counted(`/${list}/?${filter}`)];
      }),
    ]),
    counted("/deposit/?page%5Bnumber%5D=900"),
    ...["volume", "fee", "confirmation-time", "callback"].map((kind) =>
      plain(`/statistics/${kind}/?filter%5Bfrom%5D=2026-03-01&filter%5Bto%5D=2026-03-31`),
    ),
  ];
}
