import { reject } from "../../platform/kernel/rejection.ts";
import type { ResourceDefinition } from "../../platform/resources/define-resource.ts";
import { type ApiRequest, type ApiRoute, apiRoute, type Described, known } from "./route.ts";

/** `DELETE` of one object: 204 without a body. `remove` resolves with false when the object does not exist for the caller (404). */
export function deleteRoute(
  route: Described & {
    readonly resource: ResourceDefinition;
    readonly remove: (request: ApiRequest) => Promise<boolean>;
  },
): ApiRoute {
  return {
    ...apiRoute(route, "DELETE", "create"),
    status: 204,
    handle: {
      answers: "nothing",
      run: async (call) => {
        if (!(await route.remove(known(call))))
          reject("notFound", "No object with this id exists.");
      },
    },
  };
}
