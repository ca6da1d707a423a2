import { startSandboxDeployment } from "./stage/sandbox-deployment.ts";
import { tellStories } from "./stage/tell-stories.ts";

/* The sandbox as `npm start` runs it, used over HTTP, with payments on its real chains. */

tellStories(startSandboxDeployment, { withOutages: false });
