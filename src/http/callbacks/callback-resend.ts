import { assertMaySend } from "../../callbacks/deliver/assert-may-send.ts";
import {
  type ResendChoice,
  resendCallbacks,
  resendMax,
} from "../../callbacks/deliver/resend-callbacks.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { JsonValue } from "../../platform/kernel/json.ts";
import { isObjectId } from "../../platform/kernel/object-id.ts";
import { Rejected, type Rejection, reject, rejection } from "../../platform/kernel/rejection.ts";
import { defineDocument } from "../../platform/resources/define-document.ts";
import { defineResource } from "../../platform/resources/define-resource.ts";
import type { FilterDefinition } from "../../platform/resources/filters.ts";
import { boolean, described, integer } from "../../platform/resources/json-schema.ts";
import { filterFault } from "../jsonapi/read-query.ts";
import { actionRoute, type Route } from "../server/route.ts";
import { callbackResource } from "./callback-definition.ts";

const resendResource = defineResource({
  type: "callback-resend",
  description: "The result of resending several callbacks.",
  attributes: {
    resent: described(integer, "Number of callbacks that this request made due."),
    is_complete: described(
      boolean,
      `False if more callbacks match than the ${resendMax} that one request resends.`,
    ),
  },
});

const failedStatuses = [
  { value: "exhausted", name: "failed on every attempt" },
  { value: "failing", name: "failed and is waiting for the next attempt" },
] as const;

const resendDocument = defineDocument({
  type: "callback-resend",
  fields: {
    ids: {
      kind: "Field",
      schema: { type: "array", items: { type: "string" }, maxItems: resendMax },
      description: "Ids of callbacks, whatever their status. Give either `ids` or `status`.",
    },
    status: { kind: "Choice", choices: failedStatuses },
    filter: {
      kind: "Field",
      schema: { type: "object" },
      description: "Only with `status`: filters of GET /callback/.",
    },
  },
});

/** `POST /callback/resend/`: resends many callbacks. */
export function callbackResendRoutes(deps: {
  readonly db: Database;
  readonly clock: Clock;
}): readonly Route[] {
  return [
    actionRoute({
      path: "/callback/resend/",
      summary: "Resend several callbacks now",
      description: `Resends the named callbacks, or the oldest ${resendMax} failed ones that match. Repeating the request resends nothing twice.`,
      resource: resendResource,
      document: resendDocument,
      assertAllowed: assertMaySend,
      act: async ({ principal }, { ids, status, filter }) => {
        const choice = choiceOf(ids, status, filter);
        const { resent, isComplete } = await resendCallbacks(deps, principal, choice);
        return {
          type: "callback-resend",
          id: "0",
          relationships: {},
          attributes: { resent, is_complete: isComplete },
        };
      },
    }),
  ];
}

const at = (name: string) => ({ pointer: `/data/attributes/${name}` });

function choiceOf(
  ids: JsonValue,
  status: "exhausted" | "failing" | null,
  filter: JsonValue,
): ResendChoice {
  if ((ids === null) === (status === null))
    return reject("invalidValue", "Give either ids or status.", at("status"));
  if (status !== null) return { kind: "failed", status, filters: filtersOf(filter) };
  if (filter !== null)
    return reject(
      "invalidValue",
      "A filter can be combined with status, not with ids.",
      at("filter"),
    );
  if (!Array.isArray(ids) || ids.length === 0 || ids.length > resendMax)
    return reject("invalidValue", `This must be an array of 1 to ${resendMax} ids.`, at("ids"));
  const texts = (ids as readonly JsonValue[]).map((id) =>
    typeof id === "number" ? String(id) : id,
  );
  refuseAll(
    texts.flatMap((id, index) =>
      typeof id === "string" && isObjectId(id)
        ? []
        : [rejection("invalidValue", "No callback has this id.", at(`ids/${index}`))],
    ),
  );
  return { kind: "ids", ids: texts as readonly string[] };
}

const narrowing = new Map<string, FilterDefinition>(
  Object.entries(callbackResource.filters).filter(([name]) => name !== "id" && name !== "status"),
);

/** Validates filters by the rules of the list of callbacks. */
function filtersOf(value: JsonValue): ReadonlyMap<string, string> {
  if (value === null) return new Map();
  if (typeof value !== "object" || Array.isArray(value))
    return reject("invalidValue", "This must be an object of filters.", at("filter"));
  const faults: Rejection[] = [];
  const filters = new Map<string, string>();
  for (const [name, filterValue] of Object.entries(value)) {
    const definition = narrowing.get(name);
    const text =
      typeof filterValue === "string" || typeof filterValue === "number" ? String(filterValue) : "";
    const fault =
      definition === undefined ? "This filter does not exist here." : filterFault(definition, text);
    if (fault === null) filters.set(name, text);
    else faults.push(rejection("invalidValue", fault, at(`filter/${name.slice(0, 64)}`)));
  }
  refuseAll(faults);
  return filters;
}

function refuseAll(faults: readonly Rejection[]): void {
  const [first, ...others] = faults;
  if (first !== undefined) throw new Rejected(first, ...others);
}
