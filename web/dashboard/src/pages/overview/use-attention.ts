import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { useMe } from "../../api/me.ts";
import { refreshEvery } from "../../api/refresh-every.ts";

/** Something that waits for somebody, and where it is decided. */
export type Attention = {
  readonly id: string;
  readonly count: number;
  readonly text: string;
  readonly hint: string;
  readonly to: string;
  readonly search: Readonly<Record<string, string>>;
};

const refreshMs = 15_000;
const one = { number: 1, size: 1 };

type Asked = Omit<Attention, "count"> & {
  readonly count: (signal: AbortSignal) => Promise<number | undefined>;
};

const asked: readonly Asked[] = [
  {
    id: "unresolved",
    text: "Unresolved deposits",
    hint: "Accept them or pay them back",
    to: "/deposits",
    search: { "filter[status]": "5" },
    count: async (signal) =>
      (await api.list("/deposit/", { filter: { status: 5 }, page: one, signal })).pagination.count,
  },
  {
    id: "waiting",
    text: "Payouts waiting for approval",
    hint: "Somebody else than their creator decides",
    to: "/payouts",
    search: { "filter[status]": "1" },
    count: async (signal) =>
      (await api.list("/payout/", { filter: { status: 1 }, page: one, signal })).pagination.count,
  },
  {
    id: "blocked",
    text: "Transfers held by screening",
    hint: "Release them or pay them back",
    to: "/transfers",
    search: { "filter[status]": "-2" },
    count: async (signal) =>
      (await api.list("/transfer/", { filter: { status: -2 }, page: one, signal })).pagination
        .count,
  },
  {
    id: "failed",
    text: "Callbacks given up",
    hint: "Send them again when their receiver is well",
    to: "/callbacks",
    search: { "filter[status]": "exhausted" },
    count: async (signal) =>
      (await api.list("/callback/", { filter: { status: "exhausted" }, page: one, signal }))
        .pagination.count,
  },
];

const ofOperators: Asked = {
  id: "stuck",
  text: "Transactions in no block for too long",
  hint: "The service replaces them; see what they wait for",
  to: "/operations",
  search: {},
  count: async (signal) =>
    (await api.list("/spend/", { filter: { is_stuck: true }, page: one, signal })).pagination.count,
};

/** Everything that waits for a decision, and chains that are behind; undefined while it is read. */
export function useAttention(): readonly Attention[] | undefined {
  const isOperator = useMe()?.operates_deployment === true;
  const counts = useQuery({
    queryKey: ["attention", isOperator],
    queryFn: async ({ signal }) =>
      Promise.all(
        (isOperator ? [...asked, ofOperators] : asked).map(async ({ count, ...item }) => ({
          ...item,
          count: (await count(signal)) ?? 0,
        })),
      ),
    refetchInterval: refreshEvery(refreshMs),
  });
  const chains = useChains();
  if (counts.data === undefined || chains === undefined) return undefined;
  const behind = chains.filter(({ attributes }) => !attributes.is_up);
  const lag: readonly Attention[] =
    behind.length === 0
      ? []
      : [
          {
            id: "lag",
            count: behind.length,
            text: `Chains behind: ${behind.map(({ attributes }) => attributes.name).join(", ")}`,
            hint: "Payments there are seen late",
            to: isOperator ? "/operations" : "/currencies",
            search: {},
          },
        ];
  return [...lag, ...counts.data.filter(({ count }) => count > 0)];
}

function useChains() {
  return useQuery({
    queryKey: ["chains", "attention"],
    queryFn: async ({ signal }) => Array.fromAsync(api.each("/chain/", { signal })),
    refetchInterval: refreshEvery(refreshMs),
  }).data;
}

/** Whether there is any deposit yet; undefined while that is read. */
export function useHasDeposits(): boolean | undefined {
  const { data } = useQuery({
    queryKey: ["deposits", "any"],
    queryFn: async ({ signal }) =>
      (await api.list("/deposit/", { page: one, signal })).data.length > 0,
    refetchInterval: refreshEvery(refreshMs),
  });
  return data;
}
