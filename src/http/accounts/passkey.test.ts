import { describe, expect, it } from "vitest";
import type { Changes } from "../../../test/support/authenticator.ts";
import { browserOf, outcome } from "../../../test/support/people-api.ts";
import { useSecondFactors } from "../../../test/support/second-factors.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";

/* Signing in with passkeys, and their administration. */

const site = useSecondFactors();
const { database, arrangePerson, act, signInWithPassword, register, ceremony, present } = site;

describe("passkeys", () => {
  it("sign in without a password, and are required after one", async () => {
    const person = await arrangePerson();
    const { device, answer, options, finish } = await register(person);
    expect(outcome(answer)).toBe("201");
    expect(options).toMatchObject({
      rp: { id: "sluice.test" },
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    });
    expect(outcome(await finish())).toBe("400 1007 /data/attributes/challenge");
    const { challenge, options: request } = await ceremony();
    expect(request).toMatchObject({ userVerification: "required", rpId: "sluice.test" });
    const signed = device.get(request);
    const opened = await present(challenge, signed);
    expect(opened.one.attributes).toMatchObject({ second_factor: "passkey" });
    expect((await act(browserOf(opened), "GET", "/me/")).one.id).toBe(person.memberId);
    // The same response is rejected, both with its own challenge and with another one.
    expect(outcome(await present(challenge, signed))).toBe("401 2007");
    expect(outcome(await present((await ceremony()).challenge, signed))).toBe("401 2007");
    const due = await signInWithPassword(person);
    expect(outcome(due)).toBe("401 second_factor_required");
    expect(due.document["meta"]).toMatchObject({ methods: "passkey" });
  });

  it("are refused for a wrong origin, site, user verification, counter, owner or challenge", async () => {
    const person = await arrangePerson();
    for (const changes of [
      { origin: "https://evil.example" },
      { rpId: "evil.example" },
      { isVerified: false },
      { challenge: "AAAA" },
    ] satisfies Changes[])
      expect(outcome((await register(person, changes)).answer)).toBe(
        "400 1007 /data/attributes/response",
      );
    const { device } = await register(person);
    for (const changes of [
      { origin: "https://evil.example" },
      { rpId: "evil.example" },
      { isVerified: false },
      { counter: 1 },
      { counter: 0 },
      { userHandle: "AAAA" },
      { challenge: "AAAA" },
    ] satisfies Changes[]) {
      const { challenge, options } = await ceremony();
      expect([changes, outcome(await present(challenge, device.get(options, changes)))]).toEqual([
        changes,
        "401 2007",
      ]);
    }
    for (const response of [{}, { id: "x" }, "text", [1], { id: "a\u0001", response: null }]) {
      const { challenge } = await ceremony();
      expect((await present(challenge, response as JsonObject)).status).toBe(401);
    }
    const { challenge, options } = await ceremony();
    expect((await present(challenge, device.get(options))).status).toBe(200);
  });

  it("are refused for a deactivated member", async () => {
    const person = await arrangePerson();
    const { device } = await register(person);
    await database.sql("update member set deactivated_at = '2026-01-01' where id = $1", [
      person.memberId,
    ]);
    const { challenge, options } = await ceremony();
    expect(outcome(await present(challenge, device.get(options)))).toBe("401 2007");
  });

  it("can be listed, renamed and removed only by the person who registered them", async () => {
    const person = await arrangePerson();
    const others = [await arrangePerson({ accountId: person.accountId }), await arrangePerson()];
    const { answer } = await register(person);
    const path = `/passkey/${answer.one.id}/`;
    for (const { browser } of others) {
      expect((await act(browser, "GET", "/passkey/")).resources).toEqual([]);
      expect(outcome(await act(browser, "PATCH", path, "passkey", { name: "Mine" }))).toBe(
        "404 404",
      );
      expect(outcome(await act(browser, "DELETE", path))).toBe("404 404");
    }
    const renamed = await act(person.browser, "PATCH", path, "passkey", { name: "Phone" });
    expect(renamed.one.attributes).toMatchObject({ name: "Phone", last_used_at: null });
    expect((await act(person.browser, "DELETE", path)).status).toBe(204);
    expect((await act(person.browser, "GET", "/passkey/")).resources).toEqual([]);
  });
});
