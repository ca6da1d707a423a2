import { assertOperator } from "../../accounts/operator.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { listHeldTransfers } from "../../deposits/transfers/read-transfers.ts";
import { type HeldTransfer, isPayoutTransfer } from "../../deposits/transfers/transfer.ts";
import { transferResource } from "../../deposits/transfers/transfer-resource.ts";
import type { PositionLimits } from "../../ledger/position-limits.ts";
import { formatDecimal } from "../../platform/kernel/decimal.ts";
import { listInMemory, type MemoryList } from "../../platform/kernel/list-in-memory.ts";
import { mapPage } from "../../platform/kernel/list-query.ts";
import { toOne } from "../../platform/kernel/resource-object.ts";
import { formatTimestamp, formatTimestampOrNull } from "../../platform/kernel/timestamp.ts";
import type {
  FilterName,
  ResourceDefinition,
  ResourceOf,
} from "../../platform/resources/define-resource.ts";
import type { ChainsContext } from "../../reports/operations/list-chains.ts";
import {
  type CurrencyPosition,
  type HotWallet,
  type HotWalletContext,
  listHotWallets,
  listPositions,
} from "../../reports/operations/list-operator-funds.ts";
import {
  type ExplainedSpend,
  listPayoutQueues,
  listReconciliations,
  listSpends,
  type PayoutQueue,
  type Reconciled,
} from "../../reports/operations/list-pipeline.ts";
import {
  candidateIds,
  type FindWatchKey,
  type UnexplainedSpend,
} from "../../treasury/recovery/unexplained-spend.ts";
import { type Described, listRoute, type Route } from "../server/route.ts";
import { forOperators } from "./operator-act.ts";
import {
  heldTransferResource,
  hotWalletResource,
  payoutQueueResource,
  positionResource,
  reconciliationResource,
  spendResource,
  unexplainedSpendResource,
} from "./operator-definitions.ts";

export type OperatorContext = ChainsContext &
  HotWalletContext & {
    readonly positions: PositionLimits;
    /** A transaction that is unconfirmed for this long counts as stuck. */
    readonly stuckAfterSeconds: number;
    readonly readUnexplained: () => Promise<readonly UnexplainedSpend[]>;
    readonly findWatchKey: FindWatchKey;
  };

/**
 * `/held-transfer/`, `/hot-wallet/`, `/spend/`, `/payout-queue/`, `/position/` and `/reconciliation/`, for operators of the
 * deployment.
 */
export function operatorRoutes(context: OperatorContext): readonly Route[] {
  const { currencies } = context;
  return [
    operatorRoute(context, {
      path: "/hot-wallet/",
      summary: "List hot wallets",
      resource: hotWalletResource,
      read: () => listHotWallets(context),
      list: hotWalletList,
      render: (wallet) => renderHotWallet(wallet, currencies),
    }),
    operatorRoute(context, {
      path: "/spend/",
      summary: "List pending spends",
      resource: spendResource,
      read: () => listSpends(context, context.stuckAfterSeconds),
      list: spendList,
      render: (spend) => renderSpend(spend, currencies),
    }),
    operatorRoute(context, {
      path: "/payout-queue/",
      summary: "Count unfinished payouts by chain and stage",
      resource: payoutQueueResource,
      read: () => listPayoutQueues(context),
      list: queueList,
      render: renderQueue,
    }),
    operatorRoute(context, {
      path: "/position/",
      summary: "List conversion positions",
      resource: positionResource,
      read: () => listPositions(context.db, context.positions),
      list: positionList,
      render: (position) => renderPosition(position, currencies),
    }),
    operatorRoute(context, {
      path: "/reconciliation/",
      summary: "List reconciliations",
      resource: reconciliationResource,
      read: () => listReconciliations(context),
      list: reconciliationList,
      render: (found) => renderReconciliation(found, currencies),
    }),
    listRoute({
      path: "/held-transfer/",
      summary: "List held transfers of all accounts",
      description: forOperators,
      resource: heldTransferResource,
      list: async ({ principal }, query) => {
        const held = await listHeldTransfers(context.db, principal);
        return mapPage(listInMemory(held, heldTransferList, query), (transfer) =>
          renderHeldTransfer(transfer, currencies),
        );
      },
    }),
    operatorRoute(context, {
      path: "/unexplained-spend/",
      summary: "List unexplained transactions",
      resource: unexplainedSpendResource,
      read: context.readUnexplained,
      list: unexplainedList,
      render: (spend) => renderUnexplained(spend, context),
    }),
  ];
}

/** A list of the whole deployment. It has as many rows as there are chains and pending transactions, so it is read completely. */
function operatorRoute<Item, const Resource extends ResourceDefinition>(
  { db }: OperatorContext,
  route: Pick<Described, "path" | "summary"> & {
    readonly resource: Resource;
    readonly read: () => Promise<readonly Item[]>;
    readonly list: MemoryList<Item, FilterName<Resource>>;
    readonly render: (item: Item) => ResourceOf<Resource>;
  },
): Route {
  const { path, summary, resource, read, list, render } = route;
  return listRoute({
    path,
    summary,
    resource,
    description: forOperators,
    list: async ({ principal }, query) => {
      await assertOperator(db, principal);
      return mapPage(listInMemory(await read(), list, query), render);
    },
  });
}

const queueId = ({ chain, stage }: PayoutQueue): string => `${chain}-${stage}`;
const reconciledId = ({ chain, currency }: Reconciled): string => `${chain}-${currency}`;
const ofChain = ({ chain }: { readonly chain: string }, text: string): boolean => chain === text;

const hotWalletList = {
  id: ({ id }: HotWallet) => id,
  filters: { chain: ofChain, purpose: ({ purpose }: HotWallet, text: string) => purpose === text },
  sort: { id: ({ id }: HotWallet) => id },
};
const heldTransferList = {
  id: ({ transfer }: HeldTransfer) => transfer.id,
  filters: { account: ({ transfer }: HeldTransfer, text: string) => transfer.accountId === text },
  sort: { created_at: ({ transfer }: HeldTransfer) => transfer.createdAt },
};
const spendList = {
  id: ({ id }: ExplainedSpend) => id,
  filters: {
    chain: ofChain,
    kind: ({ kind }: ExplainedSpend, text: string) => kind === text,
    state: ({ state }: ExplainedSpend, text: string) => state === text,
    is_stuck: ({ isStuck }: ExplainedSpend, text: string) => isStuck === /^(true|1)$/i.test(text),
  },
  sort: { age_seconds: ({ ageSeconds }: ExplainedSpend) => ageSeconds },
};
const queueList = { id: queueId, filters: { chain: ofChain }, sort: { id: queueId } };
const positionList = {
  id: ({ currency }: CurrencyPosition) => currency,
  filters: {},
  sort: { id: ({ currency }: CurrencyPosition) => currency.padStart(8, "0") },
};
const reconciliationList = {
  id: reconciledId,
  filters: { chain: ofChain },
  sort: { id: reconciledId },
};

function renderPosition(
  { currency, units, maxUnits }: CurrencyPosition,
  currencies: CurrencyRegistry,
): ResourceOf<typeof positionResource> {
  const { exp } = currencies.get(currency);
  const size = units < 0n ? -units : units;
  return {
    type: "position",
    id: currency,
    attributes: {
      amount: `${units < 0n ? "-" : ""}${formatDecimal(size, exp)}`,
      max: maxUnits === null ? null : formatDecimal(maxUnits, exp),
      is_reached: maxUnits !== null && size * 10n >= maxUnits * 9n,
    },
    relationships: { currency: toOne("currency", currency) },
  };
}

function renderHeldTransfer(
  { transfer, tipHeight, accountName, address }: HeldTransfer,
  currencies: CurrencyRegistry,
): ResourceOf<typeof heldTransferResource> {
  const { attributes, relationships } = transferResource(transfer, currencies, tipHeight);
  const { op_id, op_type, amount, txid, status, message, risk, created_at } = attributes;
  return {
    type: "held-transfer",
    id: transfer.id,
    attributes: {
      account_id: transfer.accountId,
      account_name: accountName,
      op_id,
      op_type,
      amount,
      address,
      from_addresses: isPayoutTransfer(transfer) ? [] : [...transfer.from],
      txid,
      status,
      message,
      risk,
      created_at,
    },
    relationships: { currency: relationships.currency },
  };
}

const unexplainedId = ({ chain, txid }: UnexplainedSpend): string => `${chain}-${txid}`;
const unexplainedList = {
  id: unexplainedId,
  filters: { chain: ofChain },
  sort: { id: unexplainedId },
};

function renderUnexplained(
  spend: UnexplainedSpend,
  { currencies, findWatchKey }: Pick<OperatorContext, "currencies" | "findWatchKey">,
): ResourceOf<typeof unexplainedSpendResource> {
  const { decidedAt, payoutIds } = spend;
  return {
    type: "unexplained-spend",
    id: unexplainedId(spend),
    attributes: {
      chain: spend.chain,
      txid: spend.txid,
      block_height: spend.block?.height ?? null,
      payments: spend.payments
        .filter(({ isOwn }) => !isOwn)
        .map(({ address, tag = null, currency, units }) => {
          if (currency === null) return { address, tag, currency, amount: units.toString() };
          const { alpha, exp } = currencies.get(currency);
          return { address, tag, currency: alpha, amount: formatDecimal(units, exp) };
        }),
      payouts: decidedAt === null ? candidateIds(spend, findWatchKey) : payoutIds,
      seen_at: formatTimestamp(spend.seenAt),
      decided_at: formatTimestampOrNull(decidedAt),
      reason: spend.reason,
    },
  };
}

function renderHotWallet(
  wallet: HotWallet,
  currencies: CurrencyRegistry,
): ResourceOf<typeof hotWalletResource> {
  const { exp } = currencies.get(wallet.currency);
  const amount = (units: bigint | null): string | null =>
    units === null ? null : formatDecimal(units, exp);
  const { spendableUnits, awaitedUnits } = wallet;
  return {
    type: "hot-wallet",
    id: wallet.id,
    attributes: {
      chain: wallet.chain,
      purpose: wallet.purpose,
      address: wallet.address,
      tag: wallet.tag,
      amount: amount(wallet.units),
      spendable_amount: amount(spendableUnits),
      coins: wallet.coins,
      ceiling: amount(wallet.ceilingUnits),
      awaited_amount: formatDecimal(awaitedUnits, exp),
      unswept_amount: amount(wallet.unsweptUnits),
      is_short: spendableUnits === null ? null : spendableUnits < awaitedUnits,
    },
    relationships: { currency: toOne("currency", wallet.currency) },
  };
}

function renderSpend(
  spend: ExplainedSpend,
  currencies: CurrencyRegistry,
): ResourceOf<typeof spendResource> {
  return {
    type: "spend",
    id: spend.id,
    attributes: {
      chain: spend.chain,
      kind: spend.kind,
      state: spend.state,
      attempt_state: spend.attemptState,
      attempts: spend.attempts,
      broadcasts: spend.broadcasts,
      payouts: spend.payouts,
      txid: spend.txid,
      fee: formatDecimal(spend.feeUnits, currencies.get(spend.feeCurrency).exp),
      block_height: spend.blockHeight,
      waits_for: spend.waitsFor,
      is_stuck: spend.isStuck,
      age_seconds: spend.ageSeconds,
      created_at: formatTimestamp(spend.createdAt),
    },
    relationships: { fee_currency: toOne("currency", spend.feeCurrency) },
  };
}

function renderQueue(queue: PayoutQueue): ResourceOf<typeof payoutQueueResource> {
  return {
    type: "payout-queue",
    id: queueId(queue),
    attributes: {
      chain: queue.chain,
      stage: queue.stage,
      count: queue.count,
      oldest_at: formatTimestamp(queue.oldestAt),
      oldest_seconds: queue.oldestSeconds,
    },
  };
}

function renderReconciliation(
  found: Reconciled,
  currencies: CurrencyRegistry,
): ResourceOf<typeof reconciliationResource> {
  const { exp } = currencies.get(found.currency);
  return {
    type: "reconciliation",
    id: reconciledId(found),
    attributes: {
      chain: found.chain,
      height: Number(found.height),
      ledger_amount: formatDecimal(found.ledger_units, exp),
      chain_amount: formatDecimal(found.chain_units, exp),
      difference: formatDecimal(found.chain_units - found.ledger_units, exp),
      checked_at: formatTimestamp(found.checked_at),
      differs_since: formatTimestampOrNull(found.differs_since),
      is_paused: found.pause !== null,
      paused_since: formatTimestampOrNull(found.pause?.since ?? null),
    },
    relationships: { currency: toOne("currency", found.currency) },
  };
}
