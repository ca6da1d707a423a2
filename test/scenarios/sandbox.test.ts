import { startSandboxDeployment } from "./stage/sandbox-deployment.ts";
import { tellStories } from "./stage/tell-stories.ts";

/* The sandbox as `npm start` brings it up, used over HTTP, paid on its real chains. */

tellStories(startSandboxDeployment, { withOutages: false });
