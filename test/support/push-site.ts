import { afterAll, beforeAll } from "vitest";
import {
  compileCallbackPolicy,
  createCallbackUrlCheck,
  sandboxCallbacks,
} from "../../src/callbacks/callback-url.ts";
import {
  type DeliveryPoster,
  defaultPostSettings,
  deliveryPoster,
} from "../../src/callbacks/deliver/post-delivery.ts";
import { dnsResolver } from "../../src/callbacks/deliver/resolve-host.ts";
import { renderPush } from "../../src/main/build/push.ts";
import { pushPolicy } from "../../src/main/build/push-policy.ts";
import { configSchema } from "../../src/main/config/config.ts";
import { composeNotifications } from "../../src/notifications/compose-notifications.ts";
import type { Database } from "../../src/platform/db/database.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { createSeal } from "../../src/platform/kernel/seal.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { type PushContext, sendPushes } from "../../src/platform/push/send-pushes.ts";
import { quietSeconds } from "./mail-site.ts";
import type { ManualClock } from "./manual-clock.ts";
import { type PushService, startPushService } from "./push-browser.ts";
import { testDataKey } from "./test-accounts.ts";

const never = new AbortController().signal;

/** A push service on this machine, and the worker's jobs that send to it. */
export type PushSite = {
  readonly service: PushService;
  /** Composes notifications and sends what is due, as a worker does every second. */
  readonly run: (changes?: Partial<PushContext>) => Promise<void>;
  /** Sends a request as the worker does. */
  readonly post: PushContext["post"];
};

/** The check of endpoints in a deployment whose callbacks may reach more than its push messages. */
export function createEndpointCheck(isSandbox: boolean): (text: string) => string | null {
  const callbacks = configSchema.shape.callbacks.parse({
    allows_http: true,
    allowed_ports: [],
    allowed_networks: ["127.0.0.0/8", "10.0.0.0/8"],
  });
  return createCallbackUrlCheck(pushPolicy({ callbacks }, isSandbox));
}

/** Starts the service for a file's tests. */
export function usePushSite(database: { readonly db: Database }, clock: ManualClock): PushSite {
  let service: PushService | null = null;
  let poster: DeliveryPoster | null = null;
  const post: PushContext["post"] = (request) => present(poster, "the poster").post(request);
  beforeAll(async () => {
    service = await startPushService();
    const policy = compileCallbackPolicy({ ...sandboxCallbacks, lengthMax: 1_024 });
    poster = deliveryPoster({ clock, policy, resolve: dnsResolver(1_000) }, defaultPostSettings);
  });
  afterAll(async () => {
    await poster?.close();
    await service?.close();
  });
  return {
    get service() {
      return present(service, "the push service");
    },
    post,
    run: async (changes = {}) => {
      const { db } = database;
      await composeNotifications({ db, clock, channel: "push", quietSeconds }, never);
      const sending: PushContext = {
        db,
        clock,
        random: systemRandom,
        logger: silentLogger,
        seal: createSeal(testDataKey, systemRandom),
        post,
        render: renderPush,
        contact: "mailto:ops@sluice.example",
        ...changes,
      };
      await sendPushes(sending, never);
    },
  };
}
