import { describe, expect, it } from "vitest";
import { actionLabel, actorOf, objectOf, summaryOf } from "./audit-entry-text.ts";

describe("actionLabel", () => {
  it.each([
    ["payout.approved", "Payout approved"],
    ["credential.revoked", "API key revoked"],
    ["session.refused", "Sign-in failed"],
    ["kill_switch.turned_on", "Kill switch turned on"],
  ])("labels %s as %j", (action, label) => {
    expect(actionLabel(action)).toBe(label);
  });
});

describe("actorOf", () => {
  it("names the member, the API key that acted, or the operator", () => {
    const dee = { member_id: "7", member_name: "Dee", credential_id: null };
    expect(actorOf(dee)).toBe("Dee");
    expect(actorOf({ ...dee, credential_id: "4" })).toBe("Dee (API key 4)");
    expect(actorOf({ ...dee, member_name: null })).toBe("Member 7");
    expect(actorOf({ member_id: null, member_name: null, credential_id: null })).toBe(
      "Operator (command line)",
    );
  });
});

describe("objectOf", () => {
  it("names the type as the dashboard does", () => {
    expect(objectOf({ object_type: "credential", object_id: "1" })).toBe("API key 1");
    expect(objectOf({ object_type: "kill-switch", object_id: "wallet-3" })).toBe(
      "Kill switch wallet-3",
    );
    expect(objectOf({ object_type: null, object_id: null })).toBe("–");
  });
});

describe("summaryOf", () => {
  it.each([
    [{}, "–"],
    [
      { second_factor: "totp", user_agent: "Firefox" },
      "Second factor: authenticator app; Device: Firefox",
    ],
    [{ second_factor: null, user_agent: "Firefox" }, "Device: Firefox"],
    [{ second_factor: "recovery_code" }, "Second factor: recovery code"],
    [{ failed: "code" }, "Reason: wrong code"],
    [{ grace_hours: "24" }, "Previous secret valid for: 24 hours"],
    [{ role: "withdrawals_with_approval" }, "Role: Payouts with approval"],
    [{ role: "read_only to admin" }, "Role: Read only → Admin"],
    [
      { allowed_networks: ["10.0.0.0/8", "::1"], allowed_networks_before: [] },
      "IP allowlist: none → 10.0.0.0/8, ::1",
    ],
    [{ wallet: "3", stage: "waiting" }, "Wallet: 3; Status: awaiting approval"],
    [{ operates_the_deployment: true }, "Operates the deployment: yes"],
    [{ not_known_here: "as_sent" }, "Not known here: as_sent"],
  ])("describes %j as %j", (summary, text) => {
    expect(summaryOf({ summary })).toBe(text);
  });
});
