import type { Database, Executor } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { Rejected } from "../../platform/kernel/rejection.ts";
import type { CreateContext } from "../create/create-deposit.ts";
import type { PaymentTerms } from "../create/decide-payment-terms.ts";
import { createGrantLocks, isLockGranted, type OpenLocksLimit } from "../create/grant-locks.ts";
import { waitForAddress } from "../create/wait-for-address.ts";
import type { Deposit } from "../deposit.ts";
import { assertMayChoose, decideChoice, type PaymentChoice } from "./decide-choice.ts";
import {
  lockPageDeposit,
  readPageDeposit,
  saveChoice,
  takeAddressFor,
} from "./payment-page.store.ts";

export type ChoiceContext = CreateContext & {
  readonly db: Database;
  readonly openLocks: OpenLocksLimit;
  /** Whether payments on a chain would not be seen soon. */
  readonly isPaused: (chain: string) => Promise<boolean>;
};

/**
 * Fills payment currency, address, rate and amount of a deposit that was created without a currency, as its payer chooses on
 * the page. From then on they stay; the rate is locked where the account's limit of open locks allows it. Nothing is announced: the interface calls nobody back for it. False: there is no such page.
 * Rejects with currencyChosen, depositEnded, amountBelowMinimum and the rows of "Create deposit".
 */
export async function chooseCurrency(
  context: ChoiceContext,
  pageId: string,
  choice: PaymentChoice,
): Promise<boolean> {
  const seen = await readPageDeposit(context.db, pageId);
  if (seen === null) return false;
  assertMayChoose(seen, context.clock.now());
  const terms = await findTerms(context, seen, choice);
  const { accountId, walletCurrency, targetAmountRequested: units } = seen;
  const isLocked = units !== null && terms.rateExpiresAt !== null;
  const grantLocks = isLocked ? await createGrantLocks(context.openLocks) : null;
  return waitForAddress(context, (now) =>
    context.db.transaction(async (tx) => {
      const isGranted =
        !isLocked ||
        (await isLockGranted(grantLocks, tx, { accountId, walletCurrency, units }, now));
      return write(tx, pageId, isGranted ? terms : { ...terms, rateExpiresAt: null }, now);
    }),
  );
}

async function findTerms(
  context: ChoiceContext,
  deposit: Deposit,
  choice: PaymentChoice,
): Promise<PaymentTerms> {
  const { accountId, walletId, walletCurrency } = deposit;
  const currency = context.currencies.find(choice.currencyId);
  const isPayable = currency !== null && currency.chain !== null;
  const keyspace = isPayable ? context.findKeyspace(currency.id) : null;
  const [facts, rate, isPaused] = await Promise.all([
    context.writer.readFacts({ accountId, walletId, currency: choice.currencyId }),
    isPayable ? context.findRate(currency.id, walletCurrency) : null,
    keyspace === null ? false : context.isPaused(keyspace.chain),
  ]);
  const decision = decideChoice(deposit, choice, present(facts, `wallet ${walletId}`), {
    currencies: context.currencies,
    keyspace,
    rate,
    rateLockSeconds: context.rateLockSeconds,
    now: context.clock.now(),
    isPaused,
  });
  if (decision.kind === "rejected") throw new Rejected(...decision.rejections);
  return decision.terms;
}

/** Null when no address was to be had; then nothing is written. */
async function write(
  tx: Executor,
  pageId: string,
  terms: PaymentTerms,
  now: Instant,
): Promise<true | null> {
  const deposit = present(await lockPageDeposit(tx, pageId), "a page that was there before");
  assertMayChoose(deposit, now);
  const { addressType, isActive, poolType = addressType } = terms;
  const keyspace = present(terms.keyspace, "the keyspace of a chosen currency");
  const taken = await takeAddressFor(
    tx,
    deposit,
    { keyspace, poolType, addressType, isActive },
    now,
  );
  if (taken === null) return null;
  await saveChoice(
    tx,
    deposit,
    {
      ...(isActive ? taken : { address: null, tag: null }),
      isActive,
      currency: present(terms.currency, "the chosen currency"),
      chain: present(terms.chain, "the chain of the chosen currency"),
      addressType,
      rate: terms.rate,
      rateExpiresAt: terms.rateExpiresAt,
      sourceAmountRequested: terms.sourceAmountRequested,
      commissionTerms: terms.commissionTerms,
    },
    now,
  );
  return true;
}
