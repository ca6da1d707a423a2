import { createPublicClient, createWalletClient, erc20Abi, http } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { present } from "../../../src/platform/kernel/assert.ts";
import type { EvmSite } from "../../../src/sandbox/sandbox-file.ts";
import { amountOf, unitsOf } from "../support/money.ts";
import type { OpenThirdParty } from "./third-party.ts";

/** For the network's fees. */
const coinsForFees = "1";

/** Tether's contract returns nothing, against EIP-20. */
const transferAbi = [
  {
    type: "function",
    name: "transfer",
    stateMutability: "nonpayable",
    inputs: [
      { name: "to", type: "address" },
      { name: "value", type: "uint256" },
    ],
    outputs: [],
  },
] as const;

/** Pays with viem from an account of its own, which the faucet funds. */
export const payEvm: OpenThirdParty<EvmSite> = (chain, { chain_id, rpc_url, tokens }, site) => {
  const network = {
    id: chain_id,
    name: chain,
    nativeCurrency: { name: chain, symbol: chain, decimals: 18 },
    rpcUrls: { default: { http: [rpc_url] } },
  };
  const account = privateKeyToAccount(generatePrivateKey());
  const wallet = createWalletClient({ account, chain: network, transport: http() });
  const reader = createPublicClient({ chain: network, transport: http() });
  const contractOf = (alpha: string): `0x${string}` | null =>
    alpha === chain ? null : (present(tokens[alpha], alpha) as `0x${string}`);
  return {
    pay: async (alpha, place, amount) => {
      const to = place.address as `0x${string}`;
      const contract = contractOf(alpha);
      const value = unitsOf(amount, alpha);
      const fees = unitsOf(coinsForFees, chain);
      await site.onChain(chain, async ({ mine, pay }) => {
        await pay(chain, account.address, amountOf(contract === null ? value + fees : fees, chain));
        if (contract !== null) await pay(alpha, account.address, amount);
        await mine(1);
      });
      const hash =
        contract === null
          ? await wallet.sendTransaction({ to, value })
          : await wallet.writeContract({
              address: contract,
              abi: transferAbi,
              functionName: "transfer",
              args: [to, value],
            });
      await reader.waitForTransactionReceipt({ hash });
    },
    receiver: (alpha) => {
      const { address } = privateKeyToAccount(generatePrivateKey());
      const contract = contractOf(alpha);
      return Promise.resolve({
        address,
        held: () =>
          contract === null
            ? reader.getBalance({ address })
            : reader.readContract({
                address: contract,
                abi: erc20Abi,
                functionName: "balanceOf",
                args: [address],
              }),
      });
    },
    close: () => Promise.resolve(),
  };
};
