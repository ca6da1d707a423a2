import { resendCallback } from "../../callbacks/deliver/resend-callbacks.ts";
import { listCallbacks, readCallback } from "../../callbacks/read-callbacks.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { mapPage } from "../../platform/kernel/list-query.ts";
import type { ResourceOf } from "../../platform/resources/define-resource.ts";
import { type ApiRequest, actionRoute, getRoute, listRoute, type Route } from "../server/route.ts";
import { callbackResource, renderCallback } from "./callback-definition.ts";

/** `GET /callback/`, `GET /callback/{id}/` and `POST /callback/{id}/resend/`. */
export function callbackRoutes(deps: {
  readonly db: Database;
  readonly clock: Clock;
}): readonly Route[] {
  const find = async ({
    principal,
    id,
  }: ApiRequest): Promise<ResourceOf<typeof callbackResource> | null> => {
    const found = await readCallback(deps.db, principal, id);
    return found === null ? null : renderCallback(found.callback, found.log);
  };
  return [
    listRoute({
      path: "/callback/",
      summary: "List callbacks",
      resource: callbackResource,
      list: async ({ principal }, query) =>
        mapPage(await listCallbacks(deps.db, principal, query), (callback) =>
          renderCallback(callback, null),
        ),
    }),
    getRoute({
      path: "/callback/{id}/",
      summary: "Get a callback with the log of its attempts",
      resource: callbackResource,
      find,
    }),
    actionRoute({
      path: "/callback/{id}/resend/",
      summary: "Resend a callback now",
      description:
        "Works for any status and keeps the webhook-id. If the attempt fails, the retry schedule starts over.",
      resource: callbackResource,
      act: async (request) => {
        const isThere = await resendCallback(deps, request.principal, request.id);
        return isThere ? find(request) : null;
      },
    }),
  ];
}
