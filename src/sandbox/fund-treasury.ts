import type { World } from "../platform/kernel/world.ts";
import { createFaucet, type Faucet } from "./faucet.ts";
import type { SandboxChain } from "./sandbox-file.ts";

/** One of the deployment's own addresses that has no float yet. */
export type UnfundedAddress = {
  readonly chain: string;
  readonly address: string;
  readonly purpose: "hot" | "gas" | "change";
};

type Float = { readonly alpha: string; readonly amount: string; readonly times: number };

/**
 * The initial floats of a sandbox, so that the first payout need not wait. Coins come in many pieces, because the change of
 * one payout must confirm before it pays the next.
 */
const floats: Readonly<Record<string, readonly Float[]>> = {
  "ETH hot": [
    { alpha: "ETH", amount: "250", times: 1 },
    { alpha: "USDT-ETH", amount: "1000000", times: 1 },
    { alpha: "USDC-ETH", amount: "1000000", times: 1 },
  ],
  "ETH gas": [{ alpha: "ETH", amount: "50", times: 1 }],
  "BTC change": [{ alpha: "BTC", amount: "0.5", times: 40 }],
  "LTC change": [{ alpha: "LTC", amount: "5", times: 40 }],
};

/**
 * Pays the float to each address from its chain's faucet and mines `confirmations` blocks. The service books it as the
 * operator's own money.
 */
export async function fundTreasury(
  addresses: readonly UnfundedAddress[],
  chains: Readonly<Record<string, SandboxChain>>,
  confirmations: (chain: string) => number,
  world: World,
): Promise<void> {
  const byChain = Map.groupBy(addresses, ({ chain }) => chain);
  await Promise.all(
    [...byChain].map(async ([id, waiting]) => {
      const chain = chains[id];
      if (chain === undefined) return;
      const faucet = createFaucet(id, chain, world);
      try {
        for (const { purpose, address } of waiting) {
          await payFloats(faucet, floats[`${id} ${purpose}`] ?? [], address);
        }
        await faucet.mine(confirmations(id));
      } finally {
        await faucet.close();
      }
    }),
  );
}

async function payFloats(
  faucet: Faucet,
  missing: readonly Float[],
  address: string,
): Promise<void> {
  for (const { alpha, amount, times } of missing) {
    for (let paid = 0; paid < times; paid += 1) await faucet.pay(alpha, address, amount);
  }
}
