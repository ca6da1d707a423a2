import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { useMe } from "../../api/me.ts";
import { refreshEvery } from "../../api/refresh-every.ts";
import { useRole } from "../../components/use-role.ts";
import type { PlainText } from "../../language/catalogs.ts";
import { plural, t } from "../../language/t.ts";
import { useKillSwitches } from "../operations/use-kill-switches.ts";

/** A required action, how many objects it concerns, and the page where it is handled. */
export type Attention = {
  readonly id: string;
  readonly count: number;
  readonly text: string;
  readonly hint: string;
  readonly to: string;
  readonly search: Readonly<Record<string, string>>;
};

const refreshMs = 15_000;
const firstOnly = { number: 1, size: 1 };

type Check = Omit<Attention, "count" | "text"> & {
  readonly text: { readonly one: PlainText; readonly other: PlainText };
  readonly count: (signal: AbortSignal) => Promise<number | undefined>;
};

const checks: readonly Check[] = [
  {
    id: "unresolved",
    text: { one: "Deposit on hold", other: "Deposits on hold" },
    hint: t("Accept or refund the payment"),
    to: "/deposits",
    search: { "filter[state]": "on_hold" },
    count: (signal) =>
      countOf(api.list("/deposit/", { filter: { state: "on_hold" }, page: firstOnly, signal })),
  },
  {
    id: "waiting",
    text: { one: "Payout needs approval", other: "Payouts need approval" },
    hint: t("A second team member must approve"),
    to: "/payouts/approvals",
    search: {},
    count: (signal) =>
      countOf(
        api.list("/payout/", { filter: { state: "needs_approval" }, page: firstOnly, signal }),
      ),
  },
  {
    id: "blocked",
    text: { one: "Transfer held by screening", other: "Transfers held by screening" },
    hint: t("Review, then release or refund"),
    to: "/transfers",
    search: { "filter[status]": "-2" },
    count: (signal) =>
      countOf(api.list("/transfer/", { filter: { status: -2 }, page: firstOnly, signal })),
  },
  {
    id: "endpoints",
    text: { one: "Webhook endpoint is failing", other: "Webhook endpoints are failing" },
    hint: t("Deliveries are retried until it answers with 200"),
    to: "/webhooks/deliveries",
    search: { "filter[status]": "retrying" },
    count: (signal) =>
      countOf(
        api.list("/callback-receiver/", {
          filter: { is_failing: "true" },
          page: firstOnly,
          signal,
        }),
      ),
  },
  {
    id: "failed",
    text: { one: "Failed webhook", other: "Failed webhooks" },
    hint: t("Resend once your endpoint is back up"),
    to: "/webhooks/deliveries",
    search: { "filter[status]": "exhausted" },
    count: (signal) =>
      countOf(api.list("/callback/", { filter: { status: "exhausted" }, page: firstOnly, signal })),
  },
];

const operatorChecks: readonly Check[] = [
  {
    id: "unattributed",
    text: { one: "Unattributed payment", other: "Unattributed payments" },
    hint: t("Assign it to a deposit or return it"),
    to: "/unattributed",
    search: { "filter[state]": "waiting" },
    count: (signal) =>
      countOf(
        api.list("/unattributed/", { filter: { state: "waiting" }, page: firstOnly, signal }),
      ),
  },
  {
    id: "stuck",
    text: { one: "Stuck transaction", other: "Stuck transactions" },
    hint: t("The fee is increased automatically"),
    to: "/operations",
    search: {},
    count: (signal) =>
      countOf(api.list("/spend/", { filter: { is_stuck: true }, page: firstOnly, signal })),
  },
];

async function countOf(
  listed: Promise<{ readonly pagination: { readonly count?: number | undefined } }>,
): Promise<number | undefined> {
  return (await listed).pagination.count;
}

/** The required actions, including stopped payouts and chains that lag behind; undefined while loading. */
export function useAttention(): readonly Attention[] | undefined {
  const isOperator = useMe()?.operates_deployment === true;
  const counts = useQuery({
    queryKey: ["attention", isOperator],
    queryFn: async ({ signal }) =>
      Promise.all(
        (isOperator ? [...checks, ...operatorChecks] : checks).map(async (check) => {
          const count = (await check.count(signal)) ?? 0;
          return { ...check, count, text: plural(count, check.text.one, check.text.other) };
        }),
      ),
    refetchInterval: refreshEvery(refreshMs),
  });
  const chains = useChains();
  const stops = useKillSwitches();
  const { mayAdminister } = useRole();
  if (counts.data === undefined || chains === undefined || stops === undefined) return undefined;
  const stopped: readonly Attention[] =
    stops.length === 0
      ? []
      : [
          {
            id: "stopped",
            count: stops.length,
            text: plural(stops.length, "Payout stop", "Payout stops"),
            hint: t("The payouts concerned wait until they are resumed"),
            to: mayAdminister ? "/operations" : "/payouts",
            search: {},
          },
        ];
  const behind = chains.filter(({ attributes }) => !attributes.is_up);
  const lag: readonly Attention[] =
    behind.length === 0
      ? []
      : [
          {
            id: "lag",
            count: behind.length,
            text: plural(
              behind.length,
              "Chain out of sync: {names}",
              "Chains out of sync: {names}",
              {
                names: behind.map(({ attributes }) => attributes.name).join(", "),
              },
            ),
            hint: t("Payments on these chains are detected late"),
            to: isOperator ? "/operations" : "/currencies",
            search: {},
          },
        ];
  return [...stopped, ...lag, ...counts.data.filter(({ count }) => count > 0)];
}

function useChains() {
  return useQuery({
    queryKey: ["chains", "attention"],
    queryFn: async ({ signal }) => Array.fromAsync(api.each("/chain/", { signal })),
    refetchInterval: refreshEvery(refreshMs),
  }).data;
}

/** Whether the account has any deposit; undefined while loading. */
export function useHasDeposits(): boolean | undefined {
  const { data } = useQuery({
    queryKey: ["deposits", "any"],
    queryFn: async ({ signal }) =>
      (await api.list("/deposit/", { page: firstOnly, signal })).data.length > 0,
    refetchInterval: refreshEvery(refreshMs),
  });
  return data;
}
