/** Tests that a wallet is asked to send exactly the amount owed, once, on the right network, and how its errors are mapped. */
import { decodeFunctionData, parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import type { CheckoutPayment } from "../../../../src/deposits/checkout/checkout-state.ts";
import type { Provider } from "./find-wallets.ts";
import { payWithWallet, WalletRefused } from "./pay-with-wallet.ts";
import { transferCall } from "./transfer-call.ts";

const from = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const to = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const token = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const payment = {
  address: to,
  account: null,
  combined: null,
  evm: { chainId: 1337, token: null, units: "12345678901234568" },
} as CheckoutPayment;

describe("transferCall", () => {
  it("sends the exact amount of wei", () => {
    expect(transferCall(from, to, "12345678901234568", null)).toEqual({
      from,
      to,
      value: "0x2bdc545d6b4b88",
    });
  });

  it("calls the EIP-20 transfer function of a token's contract", () => {
    const call = transferCall(from, to, "25000001", token);
    expect(call).toMatchObject({ from, to: token, value: "0x0" });
    const abi = parseAbi(["function transfer(address to, uint256 value) returns (bool)"]);
    expect(decodeFunctionData({ abi, data: call.data as `0x${string}` })).toEqual({
      functionName: "transfer",
      args: [to, 25_000_001n],
    });
  });
});

/** A wallet that responds from a table and throws the errors in it, as in EIP-1193. */
function walletOf(answers: Readonly<Record<string, unknown>>): {
  readonly provider: Provider;
  readonly requests: string[];
} {
  const requests: string[] = [];
  return {
    requests,
    provider: {
      request: ({ method }) => {
        requests.push(method);
        const answer = answers[method];
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
      },
    },
  };
}
const errorOf = (code: number, message = ""): Error => Object.assign(new Error(message), { code });
const cooperative = {
  eth_requestAccounts: [from],
  eth_chainId: "0x539",
  eth_sendTransaction: "0xfeed",
};
const outcome = async (answers: Readonly<Record<string, unknown>>, isOwed = true) => {
  const { provider, requests } = walletOf({ ...cooperative, ...answers });
  const reason = await payWithWallet(provider, payment, () => isOwed).catch((error: unknown) =>
    error instanceof WalletRefused ? error.reason : error,
  );
  return { reason, hasSent: requests.includes("eth_sendTransaction") };
};

describe("payWithWallet", () => {
  it("asks a wallet on the right network once", async () => {
    const { provider, requests } = walletOf(cooperative);
    expect(await payWithWallet(provider, payment, () => true)).toBe("0xfeed");
    expect(requests).toEqual(["eth_requestAccounts", "eth_chainId", "eth_sendTransaction"]);
  });

  it.each([
    ["rejected", { eth_requestAccounts: errorOf(4001) }, false],
    ["busy", { eth_requestAccounts: errorOf(-32002) }, false],
    ["no_account", { eth_requestAccounts: [] }, false],
    ["unknown_network", { eth_chainId: "0x1", wallet_switchEthereumChain: errorOf(4902) }, false],
    // The wallet reports a switch that did not happen.
    ["wrong_network", { eth_chainId: "0x1", wallet_switchEthereumChain: null }, false],
    ["rejected", { eth_sendTransaction: errorOf(4001) }, true],
    ["funds", { eth_sendTransaction: errorOf(-32000, "insufficient funds for gas") }, true],
    ["failed", { eth_sendTransaction: errorOf(-32603) }, true],
  ])("reports %s", async (reason, answers, hasSent) => {
    expect(await outcome(answers)).toEqual({ reason, hasSent });
  });

  it("sends nothing if the amount changed before the wallet was ready", async () => {
    expect(await outcome({}, false)).toEqual({ reason: "changed", hasSent: false });
  });
});
