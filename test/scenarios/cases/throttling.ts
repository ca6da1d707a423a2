import { expect } from "vitest";
import type { DefineScenario } from "../support/define-scenario.ts";

/** Requests to `/token/` per minute and address, over all api processes. */
const limit = 15;

/** All api processes together limit password guessing. */
export function throttling(scenario: DefineScenario): void {
  scenario("counts logins across all api processes", [], async (site) => {
    const attributes = { login: "nobody", password: "guessed" };
    const body = { data: { type: "auth-token", attributes } };
    // All at once, so that they fall into the same minute however long each takes; even across two minutes some exceed the limit.
    const answers = await Promise.all(
      Array.from({ length: 2 * limit + 5 }, () => site.send("POST", "/token/", null, body)),
    );
    const refused = answers.filter(({ status }) => status === 429);
    const counted = answers.filter(({ status }) => status === 401);
    expect(refused.length + counted.length).toBe(answers.length);
    expect(refused.length).toBeGreaterThanOrEqual(5);
    expect(counted.every(({ codes }) => codes[0] === "2007")).toBe(true);
    for (const { codes, headers } of refused) {
      expect(codes).toEqual(["throttled"]);
      const seconds = Number(headers.get("retry-after"));
      expect(seconds).toBeGreaterThanOrEqual(1);
      expect(seconds).toBeLessThanOrEqual(60);
    }
  });
}
