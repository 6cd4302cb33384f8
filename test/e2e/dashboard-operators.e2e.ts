/** The dashboard in a browser: operators, hosts, refusals and attacks. These topics share a service and a browser. */
import { useDashboard } from './dashboard/dashboard-harness.ts';
import './dashboard/operators.ts';
import './dashboard/deployed.ts';
import './dashboard/refusals.ts';
import './dashboard/attacks.ts';

useDashboard();
