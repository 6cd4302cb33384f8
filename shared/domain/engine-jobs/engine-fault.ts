/** The error name for an engine's fault, for places that pass on only names, such as state machines. */
export const engineFault = 'EngineFault';
