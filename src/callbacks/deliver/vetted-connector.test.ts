import { describe, expect, it } from "vitest";
import { startReceiver } from "../../../test/support/callback-receiver.ts";
import { AddressRefused, vettedConnector } from "./vetted-connector.ts";

describe("vettedConnector", () => {
  it.each(["127.0.0.1", "[::1]", "::ffff:127.0.0.1", "169.254.169.254"])(
    "refuses the address literal %s, which Node does not look up",
    async (hostname) => {
      const receiver = await startReceiver();
      const connect = vettedConnector({
        mayReach: () => false,
        resolve: () => Promise.resolve([]),
        connectTimeoutMs: 1_000,
      });
      const port = receiver.host.split(":")[1] ?? "";
      const target = { hostname, host: receiver.host, protocol: "http:", port };
      const error = await new Promise((resolve) => {
        connect(target, (...[failure]) => {
          resolve(failure);
        });
      });
      expect(error).toBeInstanceOf(AddressRefused);
      await receiver.close();
    },
  );
});
