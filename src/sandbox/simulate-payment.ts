import type { Principal } from "../accounts/principal.ts";
import { type ChainId, type Currency, isPayable } from "../currencies/currency.ts";
import type { CurrencyRegistry } from "../currencies/registry.ts";
import type { Deposit } from "../deposits/deposit.ts";
import { depositStatus } from "../deposits/deposit-status.ts";
import { changeDeposit } from "../deposits/payments/change-deposit.ts";
import type { ReadDeposit } from "../deposits/read-deposits.ts";
import { present } from "../platform/kernel/assert.ts";
import { addSeconds, type Clock } from "../platform/kernel/clock.ts";
import { formatDecimal, formatShortDecimal, parseDecimal } from "../platform/kernel/decimal.ts";
import { reject } from "../platform/kernel/rejection.ts";
import { decidePayment, type PaymentPlan } from "./decide-payment.ts";
import type { Faucet } from "./faucet.ts";
import type { SimulatorAction, Story } from "./simulator.ts";

export type PlayContext = {
  readonly clock: Clock;
  readonly currencies: CurrencyRegistry;
  readonly readDeposit: ReadDeposit;
  /** Needed for scenarios that expire the deposit first. */
  readonly changing: Parameters<typeof changeDeposit>[0];
  readonly useFaucet: <Result>(
    chain: ChainId,
    work: (faucet: Faucet) => Promise<Result>,
  ) => Promise<Result>;
};

type Request = {
  readonly depositId: string;
  readonly story: Story;
  readonly amount: string | null;
};
type Plan = Extract<PaymentPlan, { readonly kind: "plan" }>;
type Payable = Deposit & { readonly address: string };

/** The longest wait for the service to see a payment or an expiry. */
const patienceSeconds = 60;
const pollMs = 250;

/**
 * Pays a deposit from its chain's faucet as the scenario requires. Null when the caller's account has no such deposit.
 * Rejects with invalidValue when the scenario does not apply to the deposit, or the amount is invalid.
 */
export async function simulatePayment(
  context: PlayContext,
  principal: Principal,
  { depositId, story, amount }: Request,
): Promise<Omit<SimulatorAction, "id" | "at"> | null> {
  const deposit = await context.readDeposit(principal, depositId);
  if (deposit === null) return null;
  const payable = assertPayable(deposit);
  const currency = context.currencies.get(present(deposit.currency, "the payment currency"));
  const chain = present(currency.chain, `the chain of ${currency.alpha}`);
  const other = findOtherCurrency(context.currencies, chain, currency);
  const customUnits = amount === null ? null : unitsOf(amount, currency);
  const plan = decidePayment(deposit, story, currency, other, customUnits);
  if (plan.kind === "refused")
    reject("invalidValue", plan.reason, { pointer: `/data/attributes/${plan.field}` });
  if (plan.expires) await expireDeposit(context, principal, depositId);
  return await context.useFaucet(chain, async (faucet) => {
    if (plan.before !== null)
      await payFirst(context, principal, faucet, { ...payable, currency, units: plan.before });
    const paid = amountOf(plan, amount);
    const txid = await faucet.pay(plan.currency.alpha, payable.address, paid, payable.tag);
    const { height } = await faucet.tip();
    return {
      kind: "payment",
      chain,
      story,
      depositId,
      txid,
      height,
      amount: paid,
      currency: plan.currency.alpha,
      text: `Paid ${paid} ${plan.currency.alpha}. ${nextStep(chain, currency.confirmationBlocks)}`,
    };
  });
}

function nextStep(chain: string, blocks: number): string {
  return `It confirms after ${blocks} ${blocks === 1 ? "block" : "blocks"} of ${chain}.`;
}

function assertPayable(deposit: Deposit): Payable {
  const { address } = deposit;
  if (address === null || deposit.currency === null)
    reject(
      "invalidValue",
      "This deposit has no address yet. Its payer has not chosen a currency on the payment page.",
      { pointer: "/data/relationships/deposit" },
    );
  return { ...deposit, address };
}

function unitsOf(amount: string, { alpha, exp }: Currency): bigint {
  const parsed = parseDecimal(amount, exp);
  if (parsed.kind !== "units" || parsed.units <= 0n)
    reject("invalidValue", `Enter a positive amount of ${alpha} with at most ${exp} decimals.`, {
      pointer: "/data/attributes/amount",
    });
  return parsed.units;
}

/** Another coin or token of the chain. */
function findOtherCurrency(
  currencies: CurrencyRegistry,
  chain: ChainId,
  currency: Currency,
): Currency | null {
  const payable = currencies.onChain(chain).filter(isPayable);
  return (
    payable.find(({ kind, id }) => kind === "token" && id !== currency.id) ??
    payable.find(({ id }) => id !== currency.id) ??
    null
  );
}

function amountOf({ currency, units }: Plan, amount: string | null): string {
  return units === null ? (amount ?? "1") : formatShortDecimal(units, currency.exp);
}

/** Sets the time limit to one second and waits until the service has expired the deposit. */
async function expireDeposit(
  context: PlayContext,
  principal: Principal,
  depositId: string,
): Promise<void> {
  await changeDeposit(context.changing, principal, depositId, {
    label: undefined,
    trackingId: undefined,
    timeLimit: 1,
  });
  await untilDeposit(
    context,
    principal,
    depositId,
    ({ status }) => status !== depositStatus.created,
  );
  // Block times are whole seconds: a block of the second in which the limit ended would still be in time.
  await context.clock.sleep(2_000);
}

/** Pays the missing amount and confirms it, so that the next payment is a second one. */
async function payFirst(
  context: PlayContext,
  principal: Principal,
  faucet: Faucet,
  {
    id,
    address,
    tag,
    confirmationsNeeded,
    currency,
    units,
  }: Pick<Payable, "id" | "address" | "tag" | "confirmationsNeeded"> & {
    readonly currency: Currency;
    readonly units: bigint;
  },
): Promise<void> {
  await faucet.pay(currency.alpha, address, formatDecimal(units, currency.exp), tag);
  await faucet.mine(Math.max(confirmationsNeeded ?? currency.confirmationBlocks, 1));
  await untilDeposit(context, principal, id, ({ status }) => status !== depositStatus.created);
}

async function untilDeposit(
  { clock, readDeposit }: PlayContext,
  principal: Principal,
  id: string,
  isReached: (deposit: Deposit) => boolean,
): Promise<void> {
  const until = addSeconds(clock.now(), patienceSeconds);
  while (clock.now() < until) {
    const deposit = await readDeposit(principal, id);
    if (deposit !== null && isReached(deposit)) return;
    await clock.sleep(pollMs);
  }
  reject("serviceUnavailable", "The service did not see the payment in time. Try again.");
}
