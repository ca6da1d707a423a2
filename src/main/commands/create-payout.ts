import { builtInCurrencies } from "../../currencies/built-in-currencies.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import {
  readSandboxFile,
  type SandboxFile,
  type SandboxWallet,
} from "../../sandbox/sandbox-file.ts";
import { type ApiClient, type ApiDocument, openApi } from "./api-client.ts";
import type { CommandContext } from "./command-context.ts";

export type FeeMode = "low" | "medium" | "high";

/** The beneficiary of all sandbox payouts, which the travel rule requires. */
const receiver: JsonObject = {
  beneficiary: {
    beneficiaryPersons: [
      {
        naturalPerson: {
          name: [{ nameIdentifier: [{ primaryIdentifier: "Doe", secondaryIdentifier: "Jo" }] }],
          geographicAddress: [
            { country: "XX", addressLine: ["1 Sandbox Street"], addressType: "HOME" },
          ],
        },
      },
    ],
  },
};

/**
 * `sluice payout WALLET AMOUNT ADDRESS`: quotes and creates a payout of the sandbox's demo account and prints the
 * next step. `WALLET` is an id, or the alpha code of an Enterprise wallet's currency. `role` selects a user of the
 * sandbox file; null selects the Owner. Rejects with the API's error text.
 */
export async function createPayout(
  options: {
    readonly home: string;
    readonly wallet: string;
    readonly amount: string;
    readonly address: string;
    readonly fee: FeeMode;
    /** Alpha code of the payment currency; null for the wallet's own. */
    readonly currency: string | null;
    readonly callbackUrl: string | null;
    readonly role: string | null;
  },
  context: CommandContext,
): Promise<void> {
  const sandbox = await readSandboxFile(options.home);
  const wallet = findWallet(sandbox, options.wallet);
  const currency = options.currency ?? wallet.alpha;
  const record = builtInCurrencies.find(({ alpha }) => alpha === currency);
  if (record === undefined) throw new Error(`there is no currency ${currency}`);
  const api = await openApi(options.home, sandbox, credentialOf(sandbox, options.role));
  try {
    const relationships = {
      wallet: { data: { type: "wallet", id: wallet.id } },
      currency: { data: { type: "currency", id: record.id as string } },
    };
    const { amount, address, fee } = options;
    const feeAmount = await quote(api, fee, amount, address, relationships);
    const payout = await api.post(
      "/payout/",
      {
        data: {
          type: "payout",
          attributes: {
            amount,
            address,
            ...(feeAmount === null ? {} : { fee_amount: feeAmount }),
            ...(options.callbackUrl === null ? {} : { callback_url: options.callbackUrl }),
            travel_rule_info: receiver,
          },
          relationships,
        },
      },
      { "idempotency-key": context.random.uuid() },
    );
    const { chain, confirmationBlocks } = record;
    describe(payout, { currency, chain: chain ?? currency, confirmationBlocks }, context);
  } finally {
    await api.close();
  }
}

/** The fee of that mode; null for internal payouts, which have no fee. */
async function quote(
  api: ApiClient,
  mode: FeeMode,
  amount: string,
  address: string,
  relationships: JsonObject,
): Promise<string | null> {
  const { data } = await api.post("/payout/calculate/", {
    data: {
      type: "payout-calculation",
      attributes: { amount, to_address: address },
      relationships,
    },
  });
  if (data.attributes["is_internal"] === true) return null;
  const fee = data.attributes["fee"] as { readonly [name in FeeMode]: string };
  return fee[mode];
}

/** Network fees are paid in the coin of the chain. */
function describe(
  { data }: ApiDocument,
  {
    currency,
    chain,
    confirmationBlocks,
  }: { readonly currency: string; readonly chain: string; readonly confirmationBlocks: number },
  { print }: CommandContext,
): void {
  const { attributes, id } = data;
  const text = (name: string): string => {
    const value = attributes[name];
    return typeof value === "string" ? value : "none";
  };
  const amount = (name: string, alpha: string): string =>
    `${text(name)
      .replace(/(\.\d*?)0+$/, "$1")
      .replace(/\.$/, "")} ${alpha}`;
  print(
    `Payout ${id}: ${amount("amount", currency)} to ${text("address")}, fee ${amount("fee_amount", chain)}`,
  );
  print(
    attributes["status"] === 1
      ? `Needs approval by another member: npx sluice approve ${id}`
      : `Queued. To confirm it now: npx sluice mine ${chain} ${confirmationBlocks}`,
  );
}

/** The demo account's wallet with this id, or its Enterprise wallet of this currency. Throws if it has none. */
export function findWallet(sandbox: SandboxFile, name: string): SandboxWallet {
  const enterprise = 2;
  const found =
    sandbox.wallets.find(({ id }) => id === name) ??
    sandbox.wallets.find(({ type, alpha }) => type === enterprise && alpha === name);
  if (found === undefined) throw new Error(`the demo account has no wallet ${name}`);
  return found;
}

/** The Owner's login, or that of the user with the given role. Throws if the sandbox has no such user. */
export function credentialOf(
  sandbox: SandboxFile,
  role: string | null,
): { readonly login: string; readonly password: string } {
  if (role === null) return sandbox;
  const user = sandbox.users.find((candidate) => candidate.role === role);
  if (user === undefined) {
    const known = sandbox.users.map((candidate) => candidate.role).join(", ");
    throw new Error(`the sandbox has no user "${role}", only ${known}`);
  }
  return user;
}
