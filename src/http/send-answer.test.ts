import { describe, expect, test } from "vitest";
import { boxApi, errorCodes } from "../../test/support/box-api.ts";
import { useDatabase } from "../../test/support/database.ts";
import { silentLogger } from "../kernel/logger.ts";

/** What is not the caller's fault is logged, not explained. */

const database = useDatabase();
describe("failures that are not the caller's", () => {
  test.each([
    ["node", 500, "node_unavailable"],
    ["database", 503, "service_unavailable"],
    ["bug", 500, "500"],
  ])("%s is %i %s, logged and not explained", async (name, status, code) => {
    const logged: unknown[] = [];
    const logger = {
      debug: () => undefined,
      info: () => undefined,
      warn: () => undefined,
      error: (message: string, line?: object) => logged.push({ message, ...line }),
      with: () => logger,
    };
    const failing = boxApi(database, { logger });
    const answer = await failing.ask("GET", `/fail/${name}/calculate/`);
    expect([answer.status, errorCodes(answer)]).toEqual([status, [[code]]]);
    expect(answer.text).not.toContain("secret");
    expect(logged).toMatchObject([
      {
        message: "request failed",
        requestId: answer.headers["x-request-id"],
        error: expect.stringContaining("secret") as unknown,
      },
    ]);
  });

  test("a chain that cannot be quoted for is warned of, and is no failure of ours", async () => {
    const warned: unknown[] = [];
    const failed: unknown[] = [];
    const logger = {
      ...silentLogger,
      warn: (message: string, line?: object) => warned.push({ message, ...line }),
      error: (message: string) => failed.push(message),
      with: () => logger,
    };
    const answer = await boxApi(database, { logger }).ask("GET", "/fail/fee/calculate/");
    expect([answer.status, errorCodes(answer)]).toEqual([503, [["4018"]]]);
    expect(failed).toEqual([]);
    expect(warned).toEqual([
      {
        message: "request refused",
        requestId: answer.headers["x-request-id"],
        method: "GET",
        route: "/fail/fee/calculate",
        error: "feeUnavailable: No fresh fee quote.",
      },
    ]);
  });
});
