import { builtInCurrencies } from "../../currencies/built-in-currencies.ts";
import { readSandboxFile } from "../../sandbox/sandbox-file.ts";
import { sandboxFamilyOf } from "../families/sandbox-families.ts";
import { type ApiDocument, ApiRefused, openApi } from "./api-client.ts";
import type { CommandContext } from "./command-context.ts";
import { useFaucet } from "./use-faucet.ts";

/** What a payer needs to pay a deposit. */
type Payable = {
  readonly address: string;
  /** Of a shared account; null elsewhere. */
  readonly tag: string | null;
  readonly alpha: string;
  /** Alpha code of the coin of the currency's chain. */
  readonly chain: string;
  readonly confirmationBlocks: number;
};

/**
 * `sluice pay DEPOSIT_ID AMOUNT`: pays a deposit of the sandbox's demo account from its chain's faucet, in the deposit's
 * currency, and prints the transaction and the next step. Rejects when the demo account has no such deposit, the deposit has
 * no address yet, or the amount is invalid.
 */
export async function payDeposit(
  options: { readonly home: string; readonly depositId: string; readonly amount: string },
  context: CommandContext,
): Promise<void> {
  const { home, depositId, amount } = options;
  const sandbox = await readSandboxFile(home);
  const { address, alpha, chain, confirmationBlocks, tag } = payableOf(
    depositId,
    await readDeposit(home, sandbox, depositId),
  );
  await useFaucet(sandbox, chain, context, async (faucet) => {
    const txid = await faucet.pay(alpha, address, amount, tag);
    context.print(`Paid ${amount} ${alpha} to ${address}`);
    context.print(`Transaction ${txid}`);
    context.print(nextStep(chain, confirmationBlocks));
  });
}

async function readDeposit(
  home: string,
  sandbox: { readonly base_url: string; readonly login: string; readonly password: string },
  depositId: string,
): Promise<ApiDocument> {
  const api = await openApi(home, sandbox, sandbox);
  try {
    return await api.get(`/deposit/${encodeURIComponent(depositId)}/?include=currency`);
  } catch (error) {
    if (!(error instanceof ApiRefused) || error.status !== 404) throw error;
    throw new Error(`the demo account has no deposit ${depositId}`, { cause: error });
  } finally {
    await api.close();
  }
}

function payableOf(depositId: string, { data, included }: ApiDocument): Payable {
  const address = data.attributes["address"];
  const currencyId = data.relationships?.["currency"]?.data?.id;
  const currency = included?.find(({ type, id }) => type === "currency" && id === currencyId);
  const alpha = currency?.attributes["alpha"];
  if (typeof address !== "string" || typeof alpha !== "string") {
    throw new Error(
      `deposit ${depositId} has no address yet: its payer has not chosen a currency on the payment page`,
    );
  }
  const record = builtInCurrencies.find(({ id }) => id === currencyId);
  return {
    address,
    tag: tagIn(data.attributes["destination"]),
    alpha,
    chain: record?.chain ?? alpha,
    confirmationBlocks: Number(currency?.attributes["confirmation_blocks"]),
  };
}

function tagIn(destination: unknown): string | null {
  const { tag } = (destination ?? {}) as { readonly tag?: unknown };
  return typeof tag === "string" ? tag : null;
}

function nextStep(chain: string, blocks: number): string {
  const command = `npx sluice mine ${chain} ${blocks}`;
  return sandboxFamilyOf(chain).minesByItself
    ? `Confirms automatically after ${blocks} ${blocks === 1 ? "block" : "blocks"}. To mine them now: ${command}`
    : `This chain mines no blocks by itself. To confirm the payment: ${command}`;
}
