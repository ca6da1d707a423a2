import { isOperator } from "../../accounts/operator.ts";
import { listInMemory } from "../../platform/kernel/list-in-memory.ts";
import { mapPage } from "../../platform/kernel/list-query.ts";
import { formatTimestamp, formatTimestampOrNull } from "../../platform/kernel/timestamp.ts";
import { defineResource, type ResourceOf } from "../../platform/resources/define-resource.ts";
import {
  boolean,
  described,
  integer,
  nullable,
  oneOf,
  text,
  timestamp,
} from "../../platform/resources/json-schema.ts";
import {
  type ChainStanding,
  type ChainsContext,
  listChains,
  listScannedRanges,
  type OperatedStanding,
  type ScannedRange,
} from "../../reports/operations/list-chains.ts";
import { getRoute, listRoute, type Route } from "../server/route.ts";

const networks = [
  { value: "mainnet", name: "the public network" },
  { value: "testnet", name: "a public test network" },
  { value: "regtest", name: "a private chain" },
];

const pauseKinds = [
  { value: "kill_switch", name: "a kill switch turned on by a person" },
  { value: "reconciliation", name: "ledger and chain differ" },
  { value: "restore", name: "the database was restored" },
  { value: "node", name: "the chain is behind its node's newest block" },
];

const forOperators = "Null for callers who do not operate the deployment.";

const chainResource = defineResource({
  type: "chain",
  description:
    "A blockchain that the deployment follows; its id is the code of its coin. Owners and Admins of an account that operates the deployment see every member, others only whether the chain is up and how far it is behind.",
  attributes: {
    name: text,
    is_up: described(
      boolean,
      "Has been read up to its node's newest block within the last two minutes.",
    ),
    height: described(nullable(integer), "Newest block read."),
    lag_blocks: described(
      nullable(integer),
      "Blocks that the node has and Sluice has not read yet.",
    ),
    block_time: described(nullable(timestamp), "Time of the newest block read."),
    network: described(nullable(oneOf(networks)), forOperators),
    is_simulated: described(
      nullable(boolean),
      `A private chain, on which blocks appear only when someone mines them. ${forOperators}`,
    ),
    node_height: described(nullable(integer), `The node's newest block. ${forOperators}`),
    blocks_per_second: described(
      nullable({ type: "number" }),
      `Blocks read per second within the last minute. ${forOperators}`,
    ),
    caught_up_at: described(
      nullable(timestamp),
      `When everything that the node has was last read. ${forOperators}`,
    ),
    updated_at: described(nullable(timestamp), `When a worker last updated it. ${forOperators}`),
    reorg_limit: described(
      nullable(integer),
      `Deepest reorg that is undone automatically, in blocks; null where inclusion is final. ${forOperators}`,
    ),
    is_paused: described(
      nullable(boolean),
      `Whether payouts are paused on the chain. ${forOperators}`,
    ),
    pause_kind: described(
      nullable(oneOf(pauseKinds)),
      `Why payouts are paused; the first reason when there are several. ${forOperators}`,
    ),
    pause_reason: described(nullable(text), forOperators),
    node_problem: described(
      nullable(text),
      `A node's answer that was refused, or why another node does not confirm it; null when there is nothing to review. ${forOperators}`,
    ),
    paused_since: described(nullable(timestamp), forOperators),
  },
});

const rangeResource = defineResource({
  type: "scanned-range",
  description: "A gapless range of heights that were read; its id is its first height.",
  attributes: {
    from_height: integer,
    to_height: integer,
    first_scanned_at: timestamp,
    last_scanned_at: timestamp,
  },
  sortable: ["from_height"],
  defaultSort: "-from_height",
});

/** `/chain/`, `/chain/{chain}/` and `/chain/{chain}/scanned-range/`. */
export function chainRoutes(context: ChainsContext): readonly Route[] {
  const { db } = context;
  return [
    listRoute({
      path: "/chain/",
      summary: "List the chains",
      resource: chainResource,
      list: async ({ principal }, query) => {
        const all = await listChains(context, await isOperator(db, principal));
        const list = { id: ({ chain }: ChainStanding) => chain.chain, filters: {}, sort: byCode };
        return mapPage(listInMemory(all, list, query), renderChain);
      },
    }),
    getRoute({
      path: "/chain/{chain}/",
      summary: "Get a chain",
      resource: chainResource,
      find: async ({ principal, params }) => {
        const all = await listChains(context, await isOperator(db, principal));
        const found = all.find(({ chain }) => chain.chain === params["chain"]);
        return found === undefined ? null : renderChain(found);
      },
    }),
    listRoute({
      path: "/chain/{chain}/scanned-range/",
      summary: "List the heights that were read",
      description:
        "The newest thousand ranges. For Owners and Admins of an account that operates the deployment.",
      resource: rangeResource,
      list: async ({ principal, params }, query) => {
        const ranges = await listScannedRanges(context, principal, params["chain"] ?? "");
        return mapPage(listInMemory(ranges, rangeList, query), renderRange);
      },
    }),
  ];
}

const byCode = { id: ({ chain }: ChainStanding) => chain.chain };
const rangeList = {
  id: ({ from }: ScannedRange) => String(from),
  filters: {},
  sort: { from_height: ({ from }: ScannedRange) => from },
};

function renderChain(standing: ChainStanding): ResourceOf<typeof chainResource> {
  const { chain, operated } = standing;
  const pause = operated?.pauses[0];
  return {
    type: "chain",
    id: chain.chain,
    attributes: {
      name: chain.name,
      is_up: standing.isUp,
      height: standing.height,
      lag_blocks: standing.lagBlocks,
      block_time: formatTimestampOrNull(standing.blockTime),
      network: operated === null ? null : chain.network,
      is_simulated: operated === null ? null : chain.network === "regtest",
      node_height: operated?.nodeHeight ?? null,
      blocks_per_second: operated?.blocksPerSecond ?? null,
      caught_up_at: formatTimestampOrNull(operated?.caughtUpAt ?? null),
      updated_at: formatTimestampOrNull(operated?.updatedAt ?? null),
      reorg_limit: operated === null ? null : chain.reorgLimit,
      is_paused: operated === null ? null : operated.pauses.length > 0,
      pause_kind: pause?.kind ?? null,
      pause_reason: pause?.reason ?? null,
      paused_since: formatTimestampOrNull(pause?.since ?? null),
      node_problem: problemOf(operated?.doubts ?? []),
    },
  };
}

function problemOf(doubts: OperatedStanding["doubts"]): string | null {
  return doubts.length === 0 ? null : doubts.map(({ reason }) => reason).join("; ");
}

function renderRange(range: ScannedRange): ResourceOf<typeof rangeResource> {
  return {
    type: "scanned-range",
    id: String(range.from),
    attributes: {
      from_height: range.from,
      to_height: range.to,
      first_scanned_at: formatTimestamp(range.firstScannedAt),
      last_scanned_at: formatTimestamp(range.lastScannedAt),
    },
  };
}
