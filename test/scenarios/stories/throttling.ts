import { expect } from "vitest";
import type { Play } from "../stage/play.ts";

/** What anybody may ask of `/token/` in a minute from one address, over all api processes. */
const limit = 15;

/** Guessing passwords is slowed down by all processes together. */
export function throttling(play: Play): void {
  play("the api processes count logins together", [], async (stage) => {
    const attributes = { login: "nobody", password: "guessed" };
    const body = { data: { type: "auth-token", attributes } };
    // At once, so that they are of one minute however long each takes; even if a new one begins meanwhile, some are too many.
    const answers = await Promise.all(
      Array.from({ length: 2 * limit + 5 }, () => stage.send("POST", "/token/", null, body)),
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
