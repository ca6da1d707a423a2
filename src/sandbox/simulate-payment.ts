import type { Principal } from "../accounts/principal.ts";
import { type ChainId, type Currency, isPayable } from "../currencies/currency.ts";
import type { CurrencyRegistry } from "../currencies/registry.ts";
import type { Deposit } from "../deposits/deposit.ts";
import { depositStatus } from "../deposits/deposit-status.ts";
import { changeDeposit } from "../deposits/payments/change-deposit.ts";
import type { ReadDeposit } from "../deposits/read-deposits.ts";
import { present } from "../platform/kernel/assert.ts";
import { addSeconds, type Clock } from "../platform/kernel/clock.ts";
import { formatDecimal, parseDecimal } from "../platform/kernel/decimal.ts";
import { reject } from "../platform/kernel/rejection.ts";
import { decidePayment, type PaymentPlan } from "./decide-payment.ts";
import type { Faucet } from "./faucet.ts";
import type { SimulatorAction, Story } from "./simulator.ts";

export type PlayContext = {
  readonly clock: Clock;
  readonly currencies: CurrencyRegistry;
  readonly readDeposit: ReadDeposit;
  /** What changing a deposit takes: a story may have to let it expire. */
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

/** Longest that a story waits for the service to see a payment or an expiry. */
const patienceSeconds = 60;
const pollMs = 250;

/**
 * Pays a deposit as the story has it, from its chain's faucet. Null: the caller's account has no such deposit. Rejects with
 * invalidValue where the story cannot be told of this deposit, and for an amount that cannot be paid.
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
  const given = amount === null ? null : unitsOf(amount, currency);
  const plan = decidePayment(deposit, story, currency, other, given);
  if (plan.kind === "refused")
    reject("invalidValue", plan.reason, { pointer: `/data/attributes/${plan.field}` });
  if (plan.expires) await expireDeposit(context, principal, depositId);
  return await context.useFaucet(chain, async (faucet) => {
    if (plan.before !== null)
      await payFirst(context, principal, faucet, { ...payable, currency, units: plan.before });
    const paid = amountOf(plan, amount);
    const txid = await faucet.pay(plan.currency.alpha, payable.address, paid);
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
  return `It is settled after ${blocks} ${blocks === 1 ? "block" : "blocks"} of ${chain}.`;
}

function assertPayable(deposit: Deposit): Payable {
  const { address } = deposit;
  if (address === null || deposit.currency === null)
    reject(
      "invalidValue",
      "This deposit has no address yet: its payer has not chosen a currency on the payment page.",
      { pointer: "/data/relationships/deposit" },
    );
  return { ...deposit, address };
}

function unitsOf(amount: string, { alpha, exp }: Currency): bigint {
  const parsed = parseDecimal(amount, exp);
  if (parsed.kind !== "units" || parsed.units <= 0n)
    reject("invalidValue", `This must be a positive amount of at most ${exp} digits of ${alpha}.`, {
      pointer: "/data/attributes/amount",
    });
  return parsed.units;
}

/** A coin or token of the chain that the deposit does not ask for. */
function findOtherCurrency(
  currencies: CurrencyRegistry,
  chain: ChainId,
  asked: Currency,
): Currency | null {
  const payable = currencies.onChain(chain).filter(isPayable);
  return (
    payable.find(({ kind, id }) => kind === "token" && id !== asked.id) ??
    payable.find(({ id }) => id !== asked.id) ??
    null
  );
}

function amountOf({ currency, units }: Plan, amount: string | null): string {
  return units === null ? (amount ?? "1") : formatDecimal(units, currency.exp);
}

/** Cuts the time limit short, and waits until the service has found that it ran out. */
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
  // A block's time is in whole seconds: one of the second in which the limit ran out would be in time.
  await context.clock.sleep(2_000);
}

/** Pays what is missing and brings it to its count, so that what comes then is a second payment. */
async function payFirst(
  context: PlayContext,
  principal: Principal,
  faucet: Faucet,
  {
    id,
    address,
    confirmationsNeeded,
    currency,
    units,
  }: Pick<Payable, "id" | "address" | "confirmationsNeeded"> & {
    readonly currency: Currency;
    readonly units: bigint;
  },
): Promise<void> {
  await faucet.pay(currency.alpha, address, formatDecimal(units, currency.exp));
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
  reject("serviceUnavailable", "The service did not see in time what the story needs. Try again.");
}
