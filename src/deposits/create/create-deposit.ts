import { mayCreate, mayView, type Principal } from "../../accounts/principal.ts";
import type { FindKeyspace } from "../../currencies/keyspace.ts";
import type { FindRate } from "../../currencies/rates/current-rate.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { readTravelRuleField } from "../../payouts/travel-rule/read-travel-rule.ts";
import type { TravelRuleInfo } from "../../payouts/travel-rule/travel-rule.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { isObjectId } from "../../platform/kernel/object-id.ts";
import type { Random } from "../../platform/kernel/random.ts";
import { Rejected, type Rejection, reject, rejection } from "../../platform/kernel/rejection.ts";
import type { Seal } from "../../platform/kernel/seal.ts";
import type { Deposit } from "../deposit.ts";
import { readDepositRow } from "../deposit-list.store.ts";
import { travelRuleContext } from "../sealed.store.ts";
import type { DepositWriter } from "./create.store.ts";
import type { CreationFacts } from "./creation-facts.store.ts";
import { type CreationKey, readCreationKey } from "./creation-key.store.ts";
import { type DepositInput, decideNewDeposit, faultsWithoutWallet } from "./decide-new-deposit.ts";
import type { NewDeposit } from "./insert-deposits.store.ts";
import { waitForAddress } from "./wait-for-address.ts";

export type CreateContext = {
  readonly db: Executor;
  readonly currencies: CurrencyRegistry;
  readonly findKeyspace: FindKeyspace;
  readonly findRate: FindRate;
  readonly clock: Clock;
  readonly random: Random;
  readonly writer: DepositWriter;
  readonly seal: Seal;
  /** Null when callbacks may be sent to the URL; otherwise the reason why not. */
  readonly callbackUrlFault: (url: string) => string | null;
  /** Seconds for which the rate of a requested amount is locked. */
  readonly rateLockSeconds: number;
  /** The maximum wait for the address pool to be refilled. */
  readonly addressPatienceMs: number;
};

export type DepositOrder = {
  readonly input: DepositInput;
  /** The faults of fields that could not be read. */
  readonly faults: readonly Rejection[];
  readonly creationKey: CreationKey | null;
};

/** A deposit, and whether an earlier request with the same idempotency key and body created it. */
export type CreatedDeposit = { readonly deposit: Deposit; readonly isRepeat: boolean };

/**
 * Creates a deposit: one statement takes an address from the pool, fixes amounts and rate, and records the key. A request that
 * repeats the key and body of an earlier one returns that deposit; a key that was used with another body is ignored. Rejects with
 * the errors of "Create deposit": permissionDenied, invalidValue, walletInactive, walletNotActivated, addressUnavailable,
 * rateUnavailable, addressTypeWithoutCurrency, currencyDisabled, currencyUnavailable, tokenNotPaidFor.
 */
export async function createDeposit(
  context: CreateContext,
  principal: Principal,
  order: DepositOrder,
): Promise<CreatedDeposit> {
  if (!mayCreate(principal)) reject("permissionDenied", "Your role can't create deposits.");
  const { creationKey } = order;
  if (creationKey !== null) {
    const known = await readCreationKey(
      context.db,
      principal.accountId,
      creationKey.key,
      context.clock.now(),
    );
    if (known !== null) {
      const earlier = isSameRequest(creationKey, known)
        ? await readDepositRow(context.db, principal.accountId, known.depositId)
        : null;
      return earlier !== null && mayView(principal, earlier.walletId)
        ? { deposit: earlier, isRepeat: true }
        : createDeposit(context, principal, { ...order, creationKey: null });
    }
  }
  const deposit = await createNew(context, principal, {
    ...order,
    paymentLinkId: null,
    insert: (created) =>
      creationKey === null
        ? context.writer.create(created)
        : context.writer.createOnce({ deposit: created, creationKey }),
  });
  // Another request recorded the key in the meantime.
  if (deposit === "keyUsed") return createDeposit(context, principal, order);
  return { deposit, isRepeat: false };
}

function isSameRequest(key: CreationKey, known: Pick<CreationKey, "fingerprint">): boolean {
  return Buffer.from(key.fingerprint).equals(known.fingerprint);
}

/** How a deposit is inserted, beside what the request determines. */
type Insertion<Inserted> = {
  readonly paymentLinkId: string | null;
  /** Null when the pool has no address. */
  readonly insert: (deposit: NewDeposit) => Promise<Inserted | null>;
};

/** Creates a deposit as `createDeposit` does, with an insertion of the caller's. */
export function createDepositBy(
  context: CreateContext,
  principal: Principal,
  order: Pick<DepositOrder, "input"> & Insertion<Deposit>,
): Promise<Deposit> {
  return createNew(context, principal, { ...order, faults: [] });
}

async function createNew<Inserted>(
  context: CreateContext,
  principal: Principal,
  {
    input,
    faults,
    paymentLinkId,
    insert,
  }: Pick<DepositOrder, "input" | "faults"> & Insertion<Inserted>,
): Promise<Inserted> {
  const travelRule = readTravelRuleField(input.travel_rule_info);
  const unread = [...faults, ...travelRule.faults];
  const facts = await findFacts(context, principal, input);
  if (input.wallet === null || facts === null) {
    const [first = noSuchWallet(), ...others] = [
      ...unread,
      ...(input.wallet === null ? [] : [noSuchWallet()]),
      ...faultsWithoutWallet(input, context),
    ];
    throw new Rejected(first, ...others);
  }
  const currency = facts.currency === null ? null : context.currencies.find(facts.currency);
  const rate =
    currency === null || currency.chain === null
      ? null
      : await context.findRate(currency.id, context.currencies.get(facts.walletCurrency).id);
  const decision = decideNewDeposit(input, input.wallet, facts, {
    currencies: context.currencies,
    keyspace: currency === null ? null : context.findKeyspace(currency.id),
    rate,
    callbackUrlFault: context.callbackUrlFault,
    rateLockSeconds: context.rateLockSeconds,
    now: context.clock.now(),
    unread,
  });
  if (decision.kind === "rejected") throw new Rejected(...decision.rejections);
  const paymentPageId = context.random.uuid();
  const deposit: NewDeposit = {
    ...decision.deposit,
    accountId: principal.accountId,
    createdByCredentialId: principal.credentialId,
    paymentLinkId,
    paymentPageId,
    travelRuleSealed: sealTravelRule(travelRule.info, paymentPageId, context.seal),
  };
  return waitForAddress(context, () => insert(deposit));
}

function sealTravelRule(
  info: TravelRuleInfo | null,
  paymentPageId: string,
  seal: Seal,
): Uint8Array | null {
  if (info === null) return null;
  const plain = new TextEncoder().encode(JSON.stringify(info));
  return seal.seal(plain, travelRuleContext(paymentPageId));
}

/** Null: the wallet does not exist, or the caller may not view it. */
async function findFacts(
  context: CreateContext,
  principal: Principal,
  { wallet: walletId, currency }: DepositInput,
): Promise<CreationFacts | null> {
  if (walletId === null || !isObjectId(walletId) || !mayView(principal, walletId)) return null;
  const { accountId } = principal;
  return context.writer.readFacts({ accountId, walletId, currency });
}

/** Missing and foreign wallets get the same error, so that the response does not reveal whether a wallet exists. */
function noSuchWallet(): Rejection {
  const source = { pointer: "/data/relationships/wallet" };
  return rejection("invalidValue", "There is no such wallet.", source);
}
