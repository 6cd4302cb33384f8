/** The dashboard in a browser: every page, log-ins and tokens. These topics share a service and a browser. */
import { useDashboard } from './dashboard/dashboard-harness.ts';
import './dashboard/every-page.ts';
import './dashboard/log-ins.ts';
import './dashboard/tokens.ts';
import './dashboard/exports.ts';
import './dashboard/closing.ts';
import './dashboard/retention.ts';
import './dashboard/limits.ts';

useDashboard();
