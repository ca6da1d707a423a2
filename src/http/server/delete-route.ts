import { reject } from "../../platform/kernel/rejection.ts";
import type { ResourceDefinition } from "../../platform/resources/define-resource.ts";
import { type ApiRequest, type ApiRoute, apiRoute, type Described, known } from "./route.ts";

/** `DELETE` of one object: 204 without a body; `remove` answers false when there is none that the caller may know of (404). */
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
          reject("notFound", "There is no object with this id.");
      },
    },
  };
}
