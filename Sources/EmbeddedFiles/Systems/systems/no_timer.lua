-- What a system makes of a timer that it has not set: one of a system that extends it, which nobody takes.
return function(_, name)
    error(('nobody takes the timer "%s": a system that extends another one has a function on.timer for its own timers, '
        .. "which hands the others on"):format(name), 0)
end
