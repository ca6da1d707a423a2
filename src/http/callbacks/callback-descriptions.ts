import { depositDefinition } from "../../deposits/deposit-resource.ts";
import { transferCallbackDefinition } from "../../deposits/transfers/transfer-resource.ts";
import { payoutCallbackDefinition } from "../../payouts/payout-resource.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import type { ResourceDefinition } from "../../platform/resources/define-resource.ts";
import type { JsonSchema } from "../../platform/resources/json-schema.ts";
import {
  identifierSchema,
  reference,
  resourceSchema,
  schemaName,
} from "../docs/openapi-schemas.ts";

/** The callbacks that the service sends, as `webhooks` of OpenAPI 3.1: "Callback objects" of the interface. */
export const callbackDescriptions: JsonObject = {
  depositCallback: {
    post: callback(
      "deposit",
      "A payment was confirmed, or the deposit's status changed. Without a transfer only the status changed.",
      depositDefinition,
    ),
  },
  payoutCallback: {
    post: callback(
      "payout",
      "The payout was confirmed, failed, was blocked, or was reversed by a reorg.",
      payoutCallbackDefinition,
    ),
  },
};

function callback(type: string, description: string, resource: ResourceDefinition): JsonObject {
  return {
    operationId: `receive${schemaName(type)}Callback`,
    summary: `Receive a callback about a ${type}`,
    description: `${description} Respond with 200 and no body; anything else is sent again later.`,
    tags: ["callback"],
    security: [],
    parameters: [
      header("webhook-id", "The same in every attempt."),
      header("webhook-timestamp", "Seconds since 1970, of this attempt."),
      header("webhook-signature", "Standard Webhooks signature of the whole body."),
    ],
    requestBody: {
      required: true,
      content: { "application/json": { schema: bodySchema(resource) } },
    },
    responses: { "200": { description: "The callback was received." } },
  };
}

function header(name: string, description: string): JsonObject {
  return { name, in: "header", required: true, description, schema: { type: "string" } };
}

function bodySchema(resource: ResourceDefinition): JsonSchema {
  const transfer = {
    type: "object",
    required: ["data"],
    properties: { data: identifierSchema("transfer", { type: "string" }) },
  };
  return {
    type: "object",
    required: ["data", "included", "meta"],
    properties: {
      data: {
        allOf: [
          resourceSchema(resource),
          { properties: { relationships: { type: "object", properties: { transfer } } } },
        ],
      },
      included: {
        type: "array",
        items: {
          anyOf: [reference("Currency"), resourceSchema(transferCallbackDefinition)],
        },
      },
      meta: {
        type: "object",
        required: ["time", "sign"],
        properties: {
          time: { type: "string", description: "When this attempt was sent." },
          sign: {
            type: "string",
            description: "HMAC-SHA-256 of status, amount, tracking_id and time, in hex.",
          },
        },
      },
    },
  };
}
