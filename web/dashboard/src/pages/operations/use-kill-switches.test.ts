import { describe, expect, it } from "vitest";
import type { KillSwitch } from "../../../../../client/src/api-types.gen.ts";
import { stopsPayout } from "./use-kill-switches.ts";

const pause = (
  scope: KillSwitch["attributes"]["scope"],
  chain: string | null,
  walletId: string | null,
): KillSwitch => ({
  type: "kill-switch",
  id: "1",
  attributes: {
    scope,
    chain,
    is_on: true,
    kind: "kill_switch",
    is_by_reconciliation: false,
    reason: "audit",
    set_by: null,
    created_at: null,
    stops_crediting: false,
  },
  relationships: {
    wallet: { data: walletId === null ? null : { type: "wallet", id: walletId } },
  },
});

describe("stopsPayout", () => {
  it.each([
    ["all payouts, before anything is chosen", pause("all", null, null), null, null, true],
    ["the chosen chain", pause("chain", "ETH", null), "9", "ETH", true],
    ["another chain", pause("chain", "BTC", null), "9", "ETH", false],
    ["a chain, before one is chosen", pause("chain", "BTC", null), null, null, false],
    ["the chosen wallet", pause("wallet", null, "9"), "9", "ETH", true],
    ["another wallet", pause("wallet", null, "8"), "9", "ETH", false],
    ["a wallet, before one is chosen", pause("wallet", null, "8"), null, null, false],
  ] as const)("decides about a pause of %s", (_name, killSwitch, walletId, chain, expected) => {
    expect(stopsPayout(killSwitch, { walletId, chain })).toBe(expected);
  });
});
