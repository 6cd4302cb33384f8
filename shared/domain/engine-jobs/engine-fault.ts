/** The name under which a fault of an engine travels where only names do, such as a state machine. */
export const engineFault = 'EngineFault';
